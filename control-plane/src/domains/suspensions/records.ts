import type { Records } from '../../events/records.ts'

export const suspensionActions = {
  'suspension over': 'ended the suspension of {target}, whose time was over',
} as const

/** Changes that no request made. */
export const suspensionRecords: Records = {
  'account.suspension_over': ({ userId }) => ({ action: 'suspension over', targetId: userId }),
}
