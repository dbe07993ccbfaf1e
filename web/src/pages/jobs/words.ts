import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    title: 'Jobs',
    lead: 'Work that takes a while: installing, starting, moving, deleting',
    shown: 'Show',
    all: 'All',
    open: 'Open',
    failed: 'Failed',
    noneOpen: 'Nothing is running',
    noneOpenText: 'All jobs have ended.',
    noneFailed: 'No job has failed',
    noneFailedText: 'Failed jobs are kept for 90 days.',
    none: 'No jobs yet',
    noneText: 'Installing, starting, moving and deleting show up here with their progress.',
    queued: 'Waiting for its turn',
    progress: 'Progress of {job}',
    doneOf: '{done} of {total}',
    percent: '{percent}%',
    cancel: 'Cancel job',
    retry: 'Try again',
    openServer: 'Open {server}',
    log: 'Log of {job}',
    step: '<hidden>{state, select, waiting {waiting} running {running} done {done} failed {failed} skipped {skipped} other {{state}}}:</hidden> <step>{name}</step>',
    percentOf: '{percent}% {detail}',
  },
  { de: () => import('./words.de.ts') },
)
