import { z } from 'zod'
import { AdminPermission } from '../permissions.ts'
import { ServerPermission } from '../server-permissions.ts'
import { LANGUAGES, type Language } from '../words/languages.ts'
import type { Methods } from './method.ts'
import { packagePath } from './package-path.ts'
import { isSmallJson, MAX_PAGE_JSON_BYTES } from './small-json.ts'

export const PAGE_AUDIENCES = ['customers', 'administrators'] as const
export type PageAudience = (typeof PAGE_AUDIENCES)[number]

/** The permission to add pages for them. */
export const pagesPermission = (audience: PageAudience): string => `pages:${audience}`

/** What the entry of a page in the navigation may have before it. */
export const PAGE_ICONS = [
  'chart',
  'clipboard',
  'clock',
  'file',
  'globe',
  'image',
  'info',
  'list',
  'map',
  'message',
  'package',
  'puzzle',
  'shield',
  'star',
  'users',
  'wrench',
] as const
export type PageIcon = (typeof PAGE_ICONS)[number]

const PageId = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
const Title = z.string().min(1).max(40)
const Titles = z.strictObject({
  en: Title,
  ...(Object.fromEntries(
    LANGUAGES.filter((language) => language !== 'en').map((language) => [
      language,
      Title.optional(),
    ]),
  ) as Record<Exclude<Language, 'en'>, z.ZodOptional<typeof Title>>),
})

/** A page as the manifest of its plugin declares it. */
export const DeclaredPage = z
  .strictObject({
    id: PageId,
    title: Titles,
    audience: z.enum(PAGE_AUDIENCES),
    /** In the navigation, or as a tab of every server that a person sees. */
    place: z.enum(['navigation', 'server']).default('navigation'),
    /** What administrators need to see a page that is for them. */
    needs: AdminPermission.optional(),
    icon: z.enum(PAGE_ICONS).default('puzzle'),
    /** A classic script, not a module. */
    script: packagePath('js'),
    style: packagePath('css').optional(),
    /** What the script finds in the body. */
    body: packagePath('html').optional(),
  })
  .refine(({ audience, needs }) => audience === 'administrators' || needs === undefined, {
    path: ['needs'],
    message: 'is only for pages of administrators',
  })
export type DeclaredPage = z.infer<typeof DeclaredPage>

/** A page as the panel shows it. */
export const PluginPage = z.object({
  plugin: z.string(),
  page: z.string(),
  title: Titles,
  audience: z.enum(PAGE_AUDIENCES),
  place: z.enum(['navigation', 'server']),
  icon: z.enum(PAGE_ICONS),
  /** The address of its document, which changes with its content. */
  frame: z.string(),
})
export type PluginPage = z.infer<typeof PluginPage>

const isSmall = (value: unknown) => isSmallJson(value, MAX_PAGE_JSON_BYTES)

/** What a page asks of its plugin. */
export const PageQuestion = z.strictObject({
  method: z.string().regex(/^[a-z][a-zA-Z0-9]{0,59}$/),
  payload: z.unknown().refine(isSmall, 'must have at most 64 KiB').optional(),
})

/** What a plugin answers, or why it refuses. */
export const PageAnswer = z.object({
  answer: z.unknown().optional(),
  refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
})

/** The method of plugins that answer their pages. */
export const PAGE_METHODS = {
  'page.request': {
    request: z.object({
      /** The id of the page that asks. */
      page: PageId,
      method: z.string(),
      /** What the page gave, whatever it is: pages run in browsers of others. */
      payload: z.unknown(),
      /** Who uses the page, as the panel knows them. */
      caller: z.object({ id: z.uuid(), role: z.enum(['customer', 'administrator']) }),
      /** The server on whose page it stands, which the caller may see. */
      server: z
        .object({
          id: z.uuid(),
          name: z.string(),
          kind: z.enum(['container', 'vm']),
          /** What the caller may do there. */
          permissions: z.array(ServerPermission),
        })
        .nullable(),
    }),
    reply: z.object({ answer: z.unknown().refine(isSmall, 'must have at most 64 KiB').optional() }),
  },
} as const satisfies Methods

/** What a plugin is asked. */
export type PageRequest = z.input<(typeof PAGE_METHODS)['page.request']['request']>
