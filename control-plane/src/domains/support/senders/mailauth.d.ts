/** The parts of mailauth that we use and that lack types of its own. */

interface MailHeaderField {
  /** Name in lower case. */
  readonly key: string | null
  readonly line: Buffer
}

interface MailHeaderFields {
  readonly parsed: readonly MailHeaderField[]
  readonly original: Buffer
}

interface CheckedSignature {
  /** Missing if the mail has no signature. */
  readonly signingDomain?: string
  readonly status: {
    readonly result: 'pass' | 'fail' | 'neutral' | 'policy' | 'none' | 'temperror'
    /** Bytes at the end of the body that it does not cover. */
    readonly underSized?: number
  }
}

type MailLookup = (name: string, type: string) => Promise<unknown>

declare module 'mailauth/lib/dkim/dkim-verifier.js' {
  import { Writable } from 'node:stream'
  export class DkimVerifier extends Writable {
    constructor(options: {
      resolver: MailLookup
      strict: boolean
      sender: string
      minBitLength: number
      curTime: Date
    })
    headers: MailHeaderFields
    readonly headerFrom: readonly string[]
    readonly fromFields: number
    readonly results: readonly CheckedSignature[]
    messageHeaders(headers: MailHeaderFields): Promise<void>
  }
}

declare module 'mailauth/lib/spf/index.js' {
  export function spf(given: {
    sender: string
    ip: string
    helo: string
    mta: string
    resolver: MailLookup
    strict: boolean
    maxElapsedTime: number
  }): Promise<{
    readonly domain: string
    readonly status: {
      readonly result: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror'
    }
  }>
}

declare module 'mailauth/lib/dmarc/index.js' {
  export function dmarc(given: {
    headerFrom: readonly string[]
    fromFields: number
    spfDomains: readonly string[]
    dkimDomains: readonly string[]
    resolver: MailLookup
    strict: boolean
  }): Promise<
    | false
    | {
        readonly status: { readonly result: 'pass' | 'fail' | 'none' | 'temperror' | 'neutral' }
        readonly policy?: 'none' | 'quarantine' | 'reject'
        readonly alignment?: {
          readonly dkim: { readonly result?: string }
          readonly spf: { readonly result?: string }
        }
      }
  >
}

declare module 'mailauth/lib/tools.js' {
  /**
   * Whether one of the domains belongs to the same organization as the first, by the Public Suffix
   * List.
   */
  export function getAlignment(from: string, domains: readonly string[]): object | false
  /** A domain in lower case and ASCII. */
  export function formatDomain(domain: string): string
}

declare module 'mailauth/lib/dkim/sign.js' {
  /** @returns the signatures as header fields */
  export function dkimSign(
    mail: string,
    given: {
      canonicalization: string
      signTime: Date
      expires?: Date
      signatureData: readonly {
        signingDomain: string
        selector: string
        privateKey: string
        maxBodyLength?: number
      }[]
    },
  ): Promise<{ readonly signatures: string; readonly errors: readonly unknown[] }>
}
