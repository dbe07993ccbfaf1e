import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { FastifyRequest } from 'fastify'
import { languageOf } from '../moment-text.ts'
import { acceptedLanguage } from './accepted-language.ts'

/** Keeps, beside the session, the language of the account that is signed in, for pages that ask nobody. */
export const LANGUAGE_COOKIE = 'panel_language'

/** What a page outside the panel is read in: the language of the account that is signed in, or else the browser's. */
export const pageLanguage = ({ cookies, headers }: FastifyRequest): Language =>
  languageOf(cookies?.[LANGUAGE_COOKIE]) ?? acceptedLanguage(headers['accept-language']) ?? ENGLISH

/** What caches have to tell such pages apart by. */
export const VARIES_BY_LANGUAGE = 'accept-language, cookie'
