import type { Scheme, Tokens } from '@lodge/shared/theme/tokens.ts'
import type { CSSVariablesResolver } from '@mantine/core'

/** The tokens of the brand colour, computed when the panel is built (vite.config.ts). */
declare const BRAND_TOKENS: Readonly<Record<Scheme, Tokens>>

const prefixed = (made: Tokens): Record<string, string> =>
  Object.fromEntries(Object.entries(made).map(([name, value]) => [`--l-${name}`, value]))

/** Mantine's own variables in terms of our tokens. */
const bridge: Record<string, string> = {
  '--mantine-color-body': 'var(--l-surface)',
  '--mantine-color-text': 'var(--l-text)',
  '--mantine-color-bright': 'var(--l-text)',
  '--mantine-color-dimmed': 'var(--l-text-2)',
  '--mantine-color-placeholder': 'var(--l-text-3)',
  '--mantine-color-anchor': 'var(--l-link)',
  '--mantine-color-error': 'var(--l-err)',
  '--mantine-color-default': 'var(--l-surface)',
  '--mantine-color-default-hover': 'var(--l-fill)',
  '--mantine-color-default-color': 'var(--l-text)',
  '--mantine-color-default-border': 'var(--l-line-control)',
  '--mantine-color-disabled': 'var(--l-fill)',
  '--mantine-color-disabled-color': 'var(--l-text-3)',
  '--mantine-color-disabled-border': 'var(--l-line)',
  '--mantine-primary-color-filled': 'var(--l-accent)',
  '--mantine-primary-color-filled-hover': 'var(--l-accent-hover)',
  '--mantine-primary-color-light': 'var(--l-accent-soft)',
  '--mantine-primary-color-light-hover': 'var(--l-accent-soft)',
  '--mantine-primary-color-light-color': 'var(--l-accent-soft-fg)',
  '--mantine-primary-color-contrast': 'var(--l-accent-fg)',
  '--mantine-color-blue-filled': 'var(--l-accent)',
  '--mantine-color-blue-filled-hover': 'var(--l-accent-hover)',
}

const scheme = (name: Scheme): Record<string, string> => ({
  ...prefixed(BRAND_TOKENS[name]),
  ...bridge,
})

/** Makes Mantine write our tokens, and its own variables based on them, into the page. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: scheme('light'),
  dark: scheme('dark'),
})
