/** Owner of the blobs of attachments: of the files themselves and of their previews. */
export const OWNER = 'attachment'
