import { isDeepStrictEqual } from 'node:util'
import type { Branding } from '@lodge/shared/branding.ts'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import type { Tokens } from '@lodge/shared/theme/tokens.ts'
import { checkCss } from './custom-css.ts'
import { coloursOf } from './report.ts'

/** Twice the root, so that it holds against what the panel itself writes for each mode. */
const ROOT = ':root:root'
/** What the radii are in the panel's own look, pixels. */
const RADII = { 'r-1': 4, 'r-2': 6, 'r-3': 8, 'r-4': 12 }

const declarations = (values: Tokens): string =>
  Object.entries(values)
    .map(([name, value]) => `--l-${name}:${value}`)
    .join(';')

const hasColours = ({ colors }: Branding): boolean =>
  !isDeepStrictEqual(colors, DEFAULT_BRANDING.colors)

/** Whether a look changes anything that a style sheet says; cheap, since every page asks. */
export const isStyled = (branding: Branding, isSafe: boolean): boolean =>
  hasColours(branding) ||
  branding.radius !== DEFAULT_BRANDING.radius ||
  (!isSafe && branding.customCss !== '')

/**
 * What a look changes, as a style sheet for the head of the page; empty for the panel's own look.
 * @param isSafe without the custom CSS
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
    // Before the panel's code runs, the page has a colour of its own.
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

/** The panel's own rules come later in the page; with its hooks named thrice a rule holds against them. */
const outranking = (css: string): string => css.replaceAll(/\.lodge-[\w-]+|:root/g, '$&$&$&')
