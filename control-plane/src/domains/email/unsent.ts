/** Why a mail was not sent, where no mail server said so. */
export const UNSENT = {
  unreached:
    'No mail server could be talked to: check host, port, security and certificate; the log says more',
  /** Its link no longer works, or it waited for too long. */
  expired: 'expired',
} as const
