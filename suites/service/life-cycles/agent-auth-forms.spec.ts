import { expect, test } from 'vitest';
import {
  agentAuthFormsIn,
  claimBody,
  isHandle,
  registrationBodies,
  revocations,
} from './agent-auth-forms.ts';

const CONTRACT = `
openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /docs/.well-known/agent-auth/register:
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/R' } } } }
  /docs/.well-known/agent-auth/claim:
    get:
      parameters:
        - { name: code, in: query, required: true, schema: { type: string } }
        - { name: X-Trace, in: header, schema: { type: string } }
  /docs/.well-known/agent-auth/revoke:
    post: { security: [{ key: [] }] }
components:
  schemas:
    R:
      oneOf:
        - { properties: { kind: { const: identity_assertion } } }
        - $ref: '#/components/schemas/Anonymous'
    Anonymous:
      required: [identityType, projectName, seats, agreed, extra]
      properties:
        identityType: { enum: [identity_assertion, anonymous] }
        projectName: { type: string }
        contactEmail: { type: string }
        intendedEndpoints: { type: [array, 'null'] }
        seats: { type: integer }
        agreed: { type: boolean }
        extra: { type: object }
        assertion: { type: string }
        nickname: { type: string }
`;

test('methods and fields are those of the published contract', () => {
  const { register, claim, revoke } = agentAuthFormsIn(CONTRACT);
  expect(register).toMatchObject({ method: 'PUT', path: '/.well-known/agent-auth/register' });
  expect(claim.method).toBe('GET');
  expect(claim.fields?.map(({ name }) => name)).toEqual(['code']);
  expect(revoke.fields).toBeUndefined();
  expect(registrationBodies(register, 'p')).toEqual([
    {
      identityType: 'anonymous',
      projectName: 'p',
      contactEmail: 'assay@check.example',
      intendedEndpoints: ['/v1/buildTx'],
      seats: 100,
      agreed: true,
      extra: {},
    },
  ]);
});

test.each(['', 'no: contract', '{"openapi":', '[]'])(
  'without a contract (%j) the names of section 5.6 are tried in two spellings',
  (text) => {
    const { register } = agentAuthFormsIn(text);
    const [snake, camel] = registrationBodies(register, 'p');
    expect(snake).toMatchObject({ type: 'anonymous', project_name: 'p' });
    expect(camel).toMatchObject({ type: 'anonymous', projectName: 'p' });
  },
);

test('a claim says what the registration answered, under the names of the claim', () => {
  const path = '/.well-known/agent-auth/claim';
  const form = (...names: readonly string[]) => ({
    ...{ method: 'POST', path },
    fields: names.map((name) => ({ name, required: true, type: 'string', values: [] })),
  });
  const answer = {
    status: 'pending',
    registration_id: 'r1',
    claim_token: 'secret',
    claim_token_expires: '2026-01-01',
    claim_url: 'http://docs.example',
    credential_type: 'api_key',
  };
  expect(claimBody(form('claim_token'), answer)).toEqual({ claim_token: 'secret' });
  expect(claimBody(form('claimToken', 'registrationId'), { data: answer })).toEqual({
    claimToken: 'secret',
    registrationId: 'r1',
  });
  expect(claimBody(form('token'), answer)).toEqual({ token: 'secret' });
  expect(claimBody(form('email'), answer)).toBeUndefined();
  expect(claimBody({ method: 'POST', path }, answer)).toEqual({
    claim_token: 'secret',
    registration_id: 'r1',
  });
  expect(claimBody(form('claim_token'), { status: 'pending' })).toBeUndefined();
});

test('a request id is no handle of a registration', () => {
  const names = ['requestId', 'claim_code', 'status', 'redirect_uri', 'id'];
  expect(names.filter(isHandle)).toEqual(['claim_code', 'id']);
});

test('a key is revoked by the field that the contract names, else by likely ones, or as bearer', () => {
  const field = (name: string) => ({ name, required: false, type: 'string', values: [] });
  const form = { method: 'POST', path: '/r' };
  const bearer = { body: {}, asBearer: true };
  expect(
    revocations({ ...form, fields: [field('apiKey'), field('token_type_hint')] }, 'k'),
  ).toEqual([{ body: { apiKey: 'k' }, asBearer: false }, bearer]);
  expect(revocations({ ...form, fields: [field('reason')] }, 'k')).toEqual([bearer]);
  expect(revocations(form, 'k')).toEqual([
    { body: { credential: 'k', token: 'k' }, asBearer: false },
    bearer,
  ]);
});

test('a schema that holds itself, or fields without end, are a form all the same', () => {
  const many = Array.from({ length: 5_000 }, (_, at) => `f${at}: {}`).join(', ');
  const own = CONTRACT.replace(
    '    R:',
    `    R: { allOf: [{ $ref: '#/components/schemas/R' }], properties: { ${many} } }\n    Other:`,
  );
  const { fields = [] } = agentAuthFormsIn(own).register;
  expect(fields).toHaveLength(100);
  const answered = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [`token${at}`, 'x']),
  );
  const claim = claimBody(agentAuthFormsIn('').claim, {
    ...answered,
    long_token: 'x'.repeat(10_000),
  });
  expect(Object.keys(claim ?? {})).toHaveLength(50);
});
