import { declare } from './declare.ts'

/** Who changed what. */
export const audit = declare({
  permissions: {
    'audit.view': 'Read the audit log',
  },
})
