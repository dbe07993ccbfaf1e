import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface SunkMail {
  readonly to: string
  /** Header and body as received. */
  readonly raw: string
}

/** A real mail server that stores the mails it receives, and refuses them on request. */
export class SmtpSink implements AsyncDisposable {
  readonly mails: SunkMail[] = []
  /** Answers with this code instead of accepting the mail, e.g. 451 or 550. */
  refuseWith: number | undefined
  /** To what. */
  refuses: 'connections' | 'senders' | 'recipients' = 'recipients'
  /** The response to each attempt. */
  readonly answers: number[] = []
  readonly #server: SMTPServer
  #port = 0

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      // Off, because the reverse lookup takes two seconds on a machine without DNS.
      disableReverseLookup: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onConnect: (_session, done) => done(this.#refusalOf('connections')),
      onMailFrom: (_address, _session, done) => done(this.#refusalOf('senders')),
      onRcptTo: (_address, _session, done) => {
        this.answers.push(this.refuseWith ?? 250)
        done(this.#refusalOf('recipients'))
      },
      onData: (stream, session, done) => {
        void text(stream).then((raw) => {
          this.mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', raw })
          done()
        })
      },
    })
    this.#server.on('error', () => undefined)
  }

  #refusalOf(what: SmtpSink['refuses']): Error | undefined {
    if (this.refuseWith === undefined || this.refuses !== what) return undefined
    return Object.assign(new Error('not now'), { responseCode: this.refuseWith })
  }

  get port(): number {
    return this.#port
  }

  async listen(): Promise<this> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    const address = this.#server.server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    this.#port = address.port
    return this
  }

  /** Mail settings that send to it. */
  get settings() {
    return {
      host: '127.0.0.1',
      port: this.port,
      security: 'none' as const,
      user: null,
      from: { name: 'Lodge', address: 'lodge@panel.test' },
      dkim: null,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((closed) => this.#server.close(closed))
  }
}
