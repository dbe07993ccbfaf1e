import { declare } from './declare.ts'

/** What administrators configure for the installation. */
export const settings = declare({
  permissions: {
    'settings.manage': 'Change the settings of the installation',
  },
  problems: {
    ip_not_allowed: { status: 403, title: 'Administrators cannot sign in from this address' },
  },
})
