import type { PreferenceDensity } from '@lodge/shared/accounts.ts'

const KEY = 'lodge.density'

/** Sets how close rows and controls stand, on this browser from now on (scale.css). */
export function setDensity(density: NonNullable<PreferenceDensity>): void {
  document.documentElement.dataset.density = density
  try {
    localStorage.setItem(KEY, density)
  } catch {
    // Without storage it holds until the next visit; the account's setting sets it then.
  }
}
