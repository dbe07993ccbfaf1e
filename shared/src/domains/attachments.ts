import { declare } from './declare.ts'

/** Files that come with messages. */
export const attachments = declare({
  problems: {
    attachment_infected: { status: 403, title: 'A scanner refused the file' },
    attachment_not_scanned: { status: 409, title: 'The file was not scanned yet' },
  },
})
