import { isDeepStrictEqual } from 'node:util'
import type { Branding } from '@lodge/shared/branding.ts'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import type { Tokens } from '@lodge/shared/theme/tokens.ts'
import { checkCss } from './custom-css.ts'
import { coloursOf } from './report.ts'

/** Doubled for specificity, so that it outranks the panel's own rules for each mode. */
const ROOT = ':root:root'
/** Radii of the default look, pixels. */
const RADII = { 'r-1': 4, 'r-2': 6, 'r-3': 8, 'r-4': 12 }

const declarations = (values: Tokens): string =>
  Object.entries(values)
    .map(([name, value]) => `--l-${name}:${value}`)
    .join(';')

const hasColours = ({ colors }: Branding): boolean =>
  !isDeepStrictEqual(colors, DEFAULT_BRANDING.colors)

/** Whether a look needs a style sheet at all; must be cheap, since every page calls it. */
export const isStyled = (branding: Branding, isSafe: boolean): boolean =>
  hasColours(branding) ||
  branding.radius !== DEFAULT_BRANDING.radius ||
  (!isSafe && branding.customCss !== '')

/**
 * The style sheet of a look for the head of the page; empty for the default look.
 * @param isSafe leaves out the custom CSS
 */
export function styleSheetOf(branding: Branding, isSafe = false): string {
  const { radius, customCss } = branding
  const parts: string[] = []
  if (hasColours(branding)) {
    const { light, dark } = coloursOf(branding)
    for (const [scheme, values] of [
      ['light', light],
      ['dark', dark],
    ] as const)
      parts.push(`${ROOT}[data-mantine-color-scheme='${scheme}']{${declarations(values)}}`)
    // The background of the page before the panel's own style sheet has loaded.
    parts.push(
      `html[data-mantine-color-scheme='light']{background:${light.bg}}`,
      `html[data-mantine-color-scheme='dark']{background:${dark.bg}}`,
    )
  }
  if (radius !== DEFAULT_BRANDING.radius) {
    const radii = Object.entries(RADII).map(([name, px]) => [
      name,
      `${Math.round((px * radius) / DEFAULT_BRANDING.radius)}px`,
    ])
    parts.push(`${ROOT}{${declarations(Object.fromEntries(radii))}}`)
  }
  if (!isSafe && customCss !== '') parts.push(outranking(checkCss(customCss)))
  return parts.join('\n')
}

/** Triples the classes of the hooks, because the panel's own rules come later in the page. */
const outranking = (css: string): string => css.replaceAll(/\.lodge-[\w-]+|:root/g, '$&$&$&')
