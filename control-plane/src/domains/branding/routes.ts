import {
  AdminBranding,
  Branding,
  BrandingReport,
  FullBrandingVersion,
  ImageKind,
  MAX_IMAGE_BYTES,
  PublicBranding,
  ReadTheme,
  SaveBranding,
  ShownAnnouncement,
  ThemeFile,
  UploadedImage,
} from '@lodge/shared/branding.ts'
import { z } from 'zod'
import { get, post, put } from '../../http/endpoint.ts'
import { bytesBody } from '../../http/raw-body.ts'
import { savedAs } from '../../http/saved-as.ts'
import { notFound } from '../../problem.ts'
import { announcementFor } from './announcement.ts'
import { showEditor, showVersion } from './history.ts'
import { uploadImage } from './images.ts'
import { currentLook, publicLook } from './look.ts'
import { readUpload } from './read-upload.ts'
import { reportOn } from './report.ts'
import { resetLook, restoreLook, saveLook } from './save.ts'
import { sendImage, sendStyle } from './send.ts'
import { exportTheme, readTheme } from './theme-file.ts'

/** @throws {Problem} `not_found` for an unknown kind */
function kindOf(text: string): ImageKind {
  const kind = ImageKind.safeParse(text)
  if (kind.success) return kind.data
  throw notFound('image')
}

/** A theme file with all its images, in base64. */
const MAX_THEME_BYTES = 4 * 1024 * 1024
const access = { who: 'admin', may: 'branding.manage' } as const

export const showBranding = get('/api/branding', {
  summary: 'Name, images, colours and links of the panel',
  access: { who: 'anyone' },
  reply: PublicBranding,
  handle: async ({ ctx, http }) => {
    http.reply.header('cache-control', 'public, max-age=10')
    return publicLook((await currentLook(ctx.db)).branding)
  },
})

export const saveBranding = put('/api/branding', {
  summary: 'Save the look of the panel as a new version',
  access,
  body: SaveBranding,
  reply: AdminBranding,
  recorded: 'changed the look of the panel',
  handle: async ({ ctx, body: { reason = '', ...change } }) => {
    await saveLook(ctx, { ...change, reason })
    return showEditor(ctx)
  },
})

export const showBrandingEditor = get('/api/branding/admin', {
  summary: 'The whole look with warnings, history and limits of uploads',
  access,
  reply: AdminBranding,
  handle: ({ ctx }) => showEditor(ctx),
})

export const showAnnouncement = get('/api/branding/announcement', {
  summary: 'The announcement for the caller, or null',
  access: { who: 'user' },
  reply: ShownAnnouncement.nullable(),
  handle: ({ ctx }) => announcementFor(ctx),
})

export const uploadBrandingImage = post('/api/branding/assets', {
  summary: 'Upload an image, which is used once a look with it is saved',
  access,
  body: bytesBody({ maxBytes: MAX_IMAGE_BYTES + 4096, contentTypes: ['multipart/form-data'] }),
  reply: UploadedImage,
  status: 201,
  // Pictures are decoded and encoded outside of a transaction.
  waits: true,
  recorded: 'uploaded an image for the look of the panel',
  handle: async ({ ctx, body, http }) => {
    const { kind, bytes } = await readUpload(http.request.headers['content-type'] ?? '', body)
    return uploadImage(ctx, kind, bytes)
  },
})

export const showBrandingImage = get('/api/branding/assets/{kind}', {
  summary: 'An image of the panel, if it has one of its own',
  access: { who: 'anyone' },
  query: z.object({ v: z.string().max(64).optional() }),
  streams: 'image/*',
  handle: async ({ ctx, params, http }) => {
    const kind = kindOf(params.kind)
    const sha = (await currentLook(ctx.db)).branding.images[kind]
    if (sha === null) throw notFound('image')
    await sendImage(ctx, kind, sha, http)
  },
})

export const previewBrandingImage = get('/api/branding/blobs/{kind}/{sha}', {
  summary: 'An uploaded image, also before it is used',
  access,
  streams: 'image/*',
  handle: ({ ctx, params, http }) => sendImage(ctx, kindOf(params.kind), params.sha, http),
})

export const showBrandingStyle = get('/api/branding/style/{revision}', {
  summary: 'The colours and custom CSS of the panel as a style sheet',
  access: { who: 'anyone' },
  query: z.object({ safe: z.literal('1').optional() }),
  streams: 'text/css',
  handle: ({ ctx, query: { safe }, http }) => sendStyle(ctx, safe !== undefined, http),
})

export const exportBranding = get('/api/branding/export', {
  summary: 'The look as a theme file, images included',
  access,
  reply: ThemeFile,
  handle: async ({ ctx, http }) => {
    http.reply.headers(savedAs('attachment', 'lodge-theme.json'))
    return exportTheme(ctx)
  },
})

export const showBrandingVersion = get('/api/branding/history/{id}', {
  summary: 'A saved version of the look',
  access,
  reply: FullBrandingVersion,
  handle: ({ ctx, params }) => showVersion(ctx, params.id),
})

export const restoreBranding = post('/api/branding/history/{id}/restore', {
  summary: 'Make a saved version the look of the panel again',
  access,
  reply: AdminBranding,
  recorded: 'restored an earlier look of the panel',
  handle: async ({ ctx, params }) => {
    await restoreLook(ctx, params.id)
    return showEditor(ctx)
  },
})

export const importBranding = post('/api/branding/import', {
  summary: 'Read a theme file for review; the look is not changed',
  access,
  body: ThemeFile,
  maxBodyBytes: MAX_THEME_BYTES,
  reply: ReadTheme,
  recorded: false,
  handle: ({ ctx, body }) => readTheme(ctx, body),
})

export const resetBranding = post('/api/branding/reset', {
  summary: 'Return to the default look, which is kept in the history',
  access,
  reply: AdminBranding,
  recorded: 'returned to the default look of the panel',
  handle: async ({ ctx }) => {
    await resetLook(ctx)
    return showEditor(ctx)
  },
})

export const validateBranding = post('/api/branding/validate', {
  summary: 'Derived colours, contrasts and checked CSS of a look, without saving it',
  access,
  body: z.strictObject({ branding: Branding }),
  reply: BrandingReport,
  recorded: false,
  handle: async ({ body }) => reportOn(body.branding),
})
