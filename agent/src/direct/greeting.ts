/** Names the protocol between two nodes, in TLS itself. */
export const DIRECT_PROTOCOL = 'lodge-transfer/1'

/** What the node that connects says first: its ticket, and nothing else before the answer. */
export const greetingOf = (ticket: string): string => `${ticket}\n`
/** A ticket has 43 characters. */
export const MAX_GREETING_BYTES = 128

/** The answer to a ticket that was redeemed; whoever is refused is hung up on. */
export const WELCOME = 'welcome\n'
