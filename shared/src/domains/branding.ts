import { declare } from './declare.ts'

/** The look of the panel. */
export const branding = declare({
  permissions: {
    'branding.manage': 'Change the look of the panel and its announcement',
  },
  presets: { content: ['branding.manage'] },
  problems: {
    revision_stale: { status: 409, title: 'Somebody else has changed it meanwhile' },
    invalid_image: { status: 400, title: 'The image cannot be used' },
    theme_too_new: { status: 422, title: 'The theme is of a later version' },
  },
})
