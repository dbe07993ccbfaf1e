import type { PreferenceDensity } from '@lodge/shared/accounts.ts'

const KEY = 'lodge.density'

/** Sets the spacing of rows and controls in this browser (scale.css). */
export function setDensity(density: NonNullable<PreferenceDensity>): void {
  document.documentElement.dataset.density = density
  try {
    localStorage.setItem(KEY, density)
  } catch {
    // Without storage it lasts until the next visit, when the account's setting is applied again.
  }
}
