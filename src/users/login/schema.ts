import { id, timestamp, Type, type Static } from '../../values/schema/type.ts'

export const code = Type.String({ maxLength: 40 })

const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
/** A credential of WebAuthn as browsers encode it in JSON; fields that are not used are ignored. */
const credential = { id: base64url(1_364), rawId: base64url(1_364), type: Type.Literal('public-key') }
const clientDataJSON = base64url(4_000)

/** The signature of a passkey (`AuthenticationResponseJSON`). */
export const Assertion = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON,
    authenticatorData: base64url(4_000),
    signature: base64url(8_000),
    userHandle: Type.Optional(base64url(100)),
  }),
})
export type Assertion = Static<typeof Assertion>

/** A new passkey (`RegistrationResponseJSON`). */
const Attestation = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON,
    attestationObject: base64url(20_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20, pattern: '^[a-z-]+$' }), { maxItems: 10 })),
  }),
})
export type Attestation = Static<typeof Attestation>

/** A code of the authenticator app, a recovery code, or a passkey. */
export const SecondFactor = Type.Object({ code: Type.Optional(code), passkey: Type.Optional(Assertion) })
export type SecondFactor = Static<typeof SecondFactor>

/** The second factors of a user; a recovery code is a substitute for each. */
export const Factors = Type.Array(Type.Unsafe<'code' | 'passkey'>({ type: 'string', enum: ['code', 'passkey'] }), {
  maxItems: 2,
})
export type Factors = Static<typeof Factors>

export const PasskeyLoginBody = Type.Object({ passkey: Assertion })

/** Alone, or after a password or provider. */
export const ChallengeBody = Type.Object({
  purpose: Type.Unsafe<'sign_in' | 'second_factor'>({ type: 'string', enum: ['sign_in', 'second_factor'] }),
})

const name = Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\u0000-\\u001f]*$' })
export const PasskeyBody = Type.Object({ name, credential: Attestation })
export type PasskeyBody = Static<typeof PasskeyBody>
export const PasskeyChange = Type.Object({ name })

export const Passkey = Type.Object({
  id,
  name: Type.String(),
  /** The host that the passkey was created for. */
  host: Type.String(),
  /** Whether `host` is the current host of the console; browsers do not offer the passkey elsewhere. */
  usable: Type.Boolean(),
  /** Synchronised by a password manager, so it survives the loss of a device. */
  backed_up: Type.Boolean(),
  created_datetime: timestamp,
  used_datetime: Type.Optional(timestamp),
})
export type Passkey = Static<typeof Passkey>

const challenge = Type.String()
const timeout = Type.Integer()
const public_key = Type.Literal('public-key')

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export const AssertionOptions = Type.Object({
  challenge,
  timeout,
  rpId: Type.String(),
  userVerification: Type.Unsafe<'required' | 'preferred'>({ type: 'string', enum: ['required', 'preferred'] }),
})
export type AssertionOptions = Static<typeof AssertionOptions>

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const RegistrationOptions = Type.Object({
  challenge,
  timeout,
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: public_key, alg: Type.Integer() })),
  attestation: Type.Literal('none'),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('preferred'),
  }),
  excludeCredentials: Type.Array(Type.Object({ type: public_key, id: Type.String() })),
})
export type RegistrationOptions = Static<typeof RegistrationOptions>
