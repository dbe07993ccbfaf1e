/** Why a mail was not sent, when the reason is not a reply of the mail server. */
export const UNSENT = {
  unreached:
    'No mail server could be talked to: check host, port, security and certificate; the log says more',
  /** Its link no longer works, or it waited for too long. */
  expired: 'expired',
} as const
