import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { FORMATS } from './formats.ts';

const ADDRESS = '0x10000000000000000000000000000000000000Ab';

const TABLE: Record<keyof typeof FORMATS, { yes: string[]; no: string[] }> = {
  'base-units': {
    yes: [
      '0',
      '1',
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    ],
    no: [
      '115792089237316195423570985008687907853269984665640564039457584007913129639936',
      '',
      '-1',
      '+1',
      '01',
      '1.0',
      '1e18',
      '0x1',
      ' 1',
      '1 ',
      '1\n',
      '١',
    ],
  },
  'evm-address': {
    yes: [ADDRESS, ADDRESS.toLowerCase(), '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'],
    no: ['', ADDRESS.slice(0, -1), `${ADDRESS}0`, ADDRESS.slice(2), ADDRESS.replace('1', 'g')],
  },
  'any-address': {
    yes: [ADDRESS, 'So1aNaTokenPLaceho1der1111111111111111111111', 'bc1qexample', '0x2'],
    no: ['', ' ', '0x', '0xg', 'a b', `${ADDRESS} `],
  },
  'hex-string': { yes: ['0x', '0x0', '0xabc', 'AB12'], no: ['', 'x', '0xg', '0x 1', 'req-1'] },
  'hex-bytes': { yes: ['0x', '0xab', 'AB12'], no: ['', '0x0', 'abc', '0xg0', '0x 1'] },
  'decimal-string': {
    yes: ['0', '1.50', '-3', '.5', '5.', '0.000000001'],
    no: ['', '.', '1e-7', '$1', '1,000', 'NaN', '1.2.3', ' 1'],
  },
  'number-text': { yes: ['0', '1.5', '1e-7', '2E+3'], no: ['', 'e3', '1e', 'Infinity', '$1'] },
  'absolute-url': {
    yes: ['https://icons.example/a.svg', 'ipfs://logo', 'data:,x'],
    no: ['', '/a.svg', 'a.svg', '//icons.example/a.svg', 'https://'],
  },
};

test('every format has its table', () => {
  expect(Object.keys(TABLE)).toEqual(Object.keys(FORMATS));
});

test.each(Object.entries(TABLE))('%s', (format, { yes, no }) => {
  const validate = new Ajv2020({ formats: FORMATS }).compile({ type: 'string', format });
  expect(yes.filter((text) => !validate(text))).toEqual([]);
  expect(no.filter((text) => validate(text))).toEqual([]);
});
