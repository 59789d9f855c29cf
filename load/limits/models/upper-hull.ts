/**
 * The upper hull of the points (0, y₀), (1, y₁), …, and of the first few of them as well: each point
 * knows its neighbour to the left on the hull of all up to itself. What a search over all points would
 * find is found at a few of them, as what is looked for only falls or rises along a hull, and turns once.
 *
 * Immutable: `push` answers a new hull.
 */
export class UpperHull {
  static readonly empty: UpperHull = new UpperHull([], []);

  private readonly ys: readonly number[];
  private readonly lefts: readonly number[];

  private constructor(ys: readonly number[], lefts: readonly number[]) {
    this.ys = ys;
    this.lefts = lefts;
  }

  /** The hull with one more point, to the right of all others. */
  push(y: number): UpperHull {
    const x = this.ys.length;
    let top = x - 1;
    for (let left = this.left(top); left >= 0; left = this.left(top)) {
      const isBelow =
        (this.y(top) - this.y(left)) * (x - left) <= (y - this.y(left)) * (top - left);
      if (!isBelow) break;
      top = left;
    }
    return new UpperHull([...this.ys, y], [...this.lefts, top]);
  }

  /**
   * The least slope of the lines from one of the first `count` points to (x, y); Infinity without any.
   *
   * @param x beyond all of them
   */
  leastSlopeTo(x: number, y: number, count: number): number {
    let at = count - 1;
    if (at < 0) return Infinity;
    let least = (y - this.y(at)) / (x - at);
    for (at = this.left(at); at >= 0; at = this.left(at)) {
      const slope = (y - this.y(at)) / (x - at);
      if (slope > least) break;
      least = slope;
    }
    return least;
  }

  /** Which of the first `count` points is highest above a line of that slope; -1 without any. */
  highestAbove(slope: number, count: number): number {
    let best = count - 1;
    for (let at = this.left(best); at >= 0; at = this.left(at)) {
      if (this.y(at) - this.y(best) < slope * (at - best)) break;
      best = at;
    }
    return best;
  }

  private y(at: number): number {
    return this.ys[at] ?? NaN;
  }

  private left(at: number): number {
    return this.lefts[at] ?? -1;
  }
}
