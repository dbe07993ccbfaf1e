/** What refers to the blobs of attachments: of the file itself, and of its preview. */
export const OWNER = 'attachment'
