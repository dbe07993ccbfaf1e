import { ENGLISH } from '@lodge/shared/words/bind.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { FastifyRequest } from 'fastify'
import { languageOf } from '../moment-text.ts'
import { acceptedLanguage } from './accepted-language.ts'

/** Keeps the language of the signed-in account, for pages that are served without loading the account. */
export const LANGUAGE_COOKIE = 'panel_language'

/** The language of a page outside the panel: that of the signed-in account, or else the browser's. */
export const pageLanguage = ({ cookies, headers }: FastifyRequest): Language =>
  languageOf(cookies?.[LANGUAGE_COOKIE]) ?? acceptedLanguage(headers['accept-language']) ?? ENGLISH

/** What caches have to tell such pages apart by. */
export const VARIES_BY_LANGUAGE = 'accept-language, cookie'
