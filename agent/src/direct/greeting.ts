/** Names the protocol between two nodes, in TLS itself. */
export const DIRECT_PROTOCOL = 'lodge-transfer/1'

/** The first line that the connecting node sends: its ticket. It sends nothing else before the answer. */
export const greetingOf = (ticket: string): string => `${ticket}\n`
/** A ticket has 43 characters. */
export const MAX_GREETING_BYTES = 128

/** The answer to a valid ticket. With any other, the connection is closed without one. */
export const WELCOME = 'welcome\n'
