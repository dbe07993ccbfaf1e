import { EVENT_METHODS } from './event.ts'
import { FENCE_METHODS } from './fence.ts'
import { PLUGIN_METHODS } from './health.ts'
import { STYLE_METHODS } from './notification-style.ts'
import { PAGE_METHODS } from './page.ts'
import { PAYMENT_METHODS } from './payment.ts'
import { SCANNER_METHODS } from './scanner.ts'
import { TAX_METHODS } from './tax.ts'

/** What Lodge may ask of plugins, of every kind. */
export const METHODS = {
  ...PLUGIN_METHODS,
  ...PAYMENT_METHODS,
  ...TAX_METHODS,
  ...EVENT_METHODS,
  ...SCANNER_METHODS,
  ...STYLE_METHODS,
  ...FENCE_METHODS,
  ...PAGE_METHODS,
}
