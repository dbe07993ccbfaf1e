import { declare } from './declare.ts'

/** What this installation tells the makers of Lodge, if its owner agrees. */
export const usageReports = declare({
  permissions: {
    'usage.manage': 'Decide on reports of usage to the makers of Lodge',
  },
  // It speaks for the whole installation, so it is given to each person separately.
  reserved: ['usage.manage'],
  problems: {
    notice_outdated: { status: 409, title: 'The notice has changed' },
    usage_not_ready: { status: 409, title: 'Something has to happen first' },
    usage_service_failed: { status: 502, title: 'The code-hosting service did not answer' },
  },
})
