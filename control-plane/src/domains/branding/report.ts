import type { Branding, BrandingReport, ContrastCheck } from '@lodge/shared/branding.ts'
import { contrast } from '@lodge/shared/theme/oklch.ts'
import {
  CONTROL_PAIRS,
  type Scheme,
  TEXT_PAIRS,
  type Tokens,
  tokens,
} from '@lodge/shared/theme/tokens.ts'
import { checkCss } from './custom-css.ts'

const SCHEMES: readonly Scheme[] = ['light', 'dark']
/** Contrast ratios that WCAG 2.2 requires: 1.4.3 for text, 1.4.11 for controls. */
const REQUIRED = { text: 4.5, control: 3 }

/** All colours of both modes, derived from the chosen ones. */
export const coloursOf = ({ colors }: Pick<Branding, 'colors'>): Record<Scheme, Tokens> => ({
  light: tokens(colors.accent, 'light', colors.second),
  dark: tokens(colors.accent, 'dark', colors.second),
})

/**
 * Derived colours, their contrasts, and the CSS as it will be served.
 * @throws {Problem} `validation_failed` for CSS that is not allowed
 */
export function reportOn(branding: Branding): BrandingReport {
  const colours = coloursOf(branding)
  const contrast = SCHEMES.flatMap((scheme) => checks(scheme, colours[scheme], branding.colors))
  const adjusted = contrast.filter((check) => check.adjusted)
  const css = checkCss(branding.customCss)
  return {
    colours,
    contrast,
    css,
    warnings: [...new Set(adjusted.map(({ scheme, colours }) => warningOf(scheme, colours[1])))],
  }
}

const warningOf = (scheme: Scheme, colour: string): string =>
  `In ${scheme} mode buttons are ${colour} instead of the chosen colour, so that their text can be read.`

function checks(scheme: Scheme, colours: Tokens, { accent }: Branding['colors']): ContrastCheck[] {
  const check = (pair: readonly [string, string], required: number): ContrastCheck => {
    const [front = '', back = ''] = [colours[pair[0]], colours[pair[1]]]
    const ratio = Math.round(contrast(front, back) * 100) / 100
    return {
      scheme,
      pair: [pair[0], pair[1]],
      colours: [front, back],
      ratio,
      required,
      pass: ratio >= required,
      // The background of buttons is the chosen colour itself as long as text on it is readable.
      adjusted: pair[1] === 'accent' && back !== accent,
    }
  }
  return [
    ...TEXT_PAIRS.map((pair) => check(pair, REQUIRED.text)),
    ...CONTROL_PAIRS.map((pair) => check(pair, REQUIRED.control)),
  ]
}
