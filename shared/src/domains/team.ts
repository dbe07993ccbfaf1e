import { declare } from './declare.ts'

/** The administrators. */
export const team = declare({
  permissions: {
    'team.view': 'See the administrators',
    'team.manage': 'Invite, change and remove administrators',
  },
  // Opens every account, so it is given to each person separately.
  reserved: ['team.manage'],
})
