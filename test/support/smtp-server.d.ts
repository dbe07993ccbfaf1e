declare module 'smtp-server' {
  import type { Server } from 'node:net'
  import type { Readable } from 'node:stream'

  interface Session {
    readonly envelope: {
      readonly mailFrom: false | { readonly address: string }
      readonly rcptTo: readonly { readonly address: string }[]
    }
  }
  type Done = (error?: Error | null) => void
  export class SMTPServer {
    readonly server: Server
    constructor(options: {
      readonly authOptional?: boolean
      readonly disableReverseLookup?: boolean
      readonly disabledCommands?: readonly string[]
      onRcptTo?(address: { readonly address: string }, session: Session, done: Done): void
      onData?(stream: Readable, session: Session, done: Done): void
    })
    listen(port: number, host: string, listening: () => void): Server
    close(closed: () => void): void
    on(event: 'error', listener: (error: Error) => void): this
  }
}
