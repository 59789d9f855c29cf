/** A small server in Rust with a limiter of governor. */

/** The libraries, at versions that are known to work. */
export const RUST_PACKAGE = `[package]
name = "limiters"
version = "1.0.0"
edition = "2021"

[dependencies]
governor = "=0.10.4"
tiny_http = "=0.12.0"
`;

/** Arguments: port, burst, and the milliseconds after which one more is let in. */
export const RUST_SOURCE = `use governor::{Quota, RateLimiter};
use std::num::NonZeroU32;
use std::time::Duration;
use tiny_http::{Header, Response, Server};

fn main() {
    let given: Vec<u64> = std::env::args().skip(1).map(|text| text.parse().unwrap()).collect();
    let quota = Quota::with_period(Duration::from_millis(given[2]))
        .unwrap()
        .allow_burst(NonZeroU32::new(given[1] as u32).unwrap());
    let limiter = RateLimiter::direct(quota);
    let server = Server::http(("127.0.0.1", given[0] as u16)).unwrap();
    let json = Header::from_bytes("Content-Type", "application/json").unwrap();
    for request in server.incoming_requests() {
        let counts = request.url() == "/v1/config/chains";
        let (status, body) = if counts && limiter.check().is_err() {
            let text = r#"{"status":429,"code":"RATE_LIMITED","message":"too many","requestId":"rust"}"#;
            (429, text)
        } else {
            (200, r#"{"status":"success","data":{}}"#)
        };
        let answer = Response::from_string(body).with_status_code(status).with_header(json.clone());
        let _ = request.respond(answer);
    }
}
`;
