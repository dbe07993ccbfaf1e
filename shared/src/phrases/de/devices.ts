import { BROWSERS, SYSTEMS, UNKNOWN_DEVICE } from '../../device.ts'
import type { Phrases } from '../phrasebook.ts'

/** Devices that people sign in from. Each is a phrase, since other texts have an “on” between two names too. */
export const devices: Phrases = {
  [UNKNOWN_DEVICE]: 'Unbekanntes Gerät',
  ...Object.fromEntries(
    BROWSERS.flatMap(([, browser]) =>
      SYSTEMS.map(([, system]) => [`${browser} on ${system}`, `${browser} unter ${system}`]),
    ),
  ),
}
