import type { PreferenceMode } from '@lodge/shared/accounts.ts'
import {
  createTheme,
  localStorageColorSchemeManager,
  MantineProvider,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { brand } from '../brand.ts'
import { styleNonce } from '../nonce.ts'
import { variables } from './variables.ts'

const theme = createTheme({
  fontFamily: 'var(--l-font)',
  fontFamilyMonospace: 'var(--l-font-mono)',
  defaultRadius: 'var(--l-r-2)',
  cursorType: 'pointer',
  fontSizes: {
    xs: 'var(--l-fs-xs)',
    sm: 'var(--l-fs-sm)',
    md: 'var(--l-fs-md)',
    lg: 'var(--l-fs-lg)',
    xl: 'var(--l-fs-xl)',
  },
  respectReducedMotion: true,
  components: {
    // Descriptions below the control keep the controls of a row aligned.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
  },
})

const manager = localStorageColorSchemeManager({ key: 'lodge.mode' })

/** Provides the tokens and this browser's colour scheme. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme={brand && brand.mode !== 'system' ? brand.mode : 'auto'}
      colorSchemeManager={manager}
      cssVariablesResolver={variables}
      getStyleNonce={() => styleNonce}
    >
      {children}
    </MantineProvider>
  )
}

/** The colour scheme chosen on this browser; null follows the operating system. */
export function useMode(): [PreferenceMode, (mode: PreferenceMode) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return [
    colorScheme === 'auto' ? 'system' : colorScheme,
    (mode) => setColorScheme(mode === 'light' || mode === 'dark' ? mode : 'auto'),
  ]
}

/** The colour scheme in effect. */
export const useScheme = (): 'light' | 'dark' => useComputedColorScheme('light')
