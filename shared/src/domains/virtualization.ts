import { declare } from './declare.ts'
import { jobKindOf } from './job-kind.ts'

/** Hardware profiles, media and networks of machines. */
export const virtualization = declare({
  permissions: {
    'virtualization.manage': 'Manage media, networks and hardware profiles of virtual machines',
  },
  presets: {
    operator: ['virtualization.manage'],
  },
  jobKinds: {
    'vm.medium.check': jobKindOf(true),
  },
})
