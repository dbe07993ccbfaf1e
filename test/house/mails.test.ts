import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import { describe, expect, test } from 'vitest'
import { catalogueOf, type Domain } from '../../control-plane/src/domain.ts'
import { modules } from '../../control-plane/src/modules.ts'

const domains: readonly Domain[] = modules
const { mails, mailTranslations } = catalogueOf(domains)

/** The variables of a mail's wording, in its text and in its conditions. */
const valuesIn = ({ subject, body }: { readonly subject: string; readonly body: string }) =>
  [
    ...new Set(
      [...`${subject}\n${body}`.matchAll(/\{\{ ([\w.]+) \}\}|\{% if ([\w.]+) %\}/g)].map(
        ([, value, condition]) => value ?? condition,
      ),
    ),
  ].sort()

describe.each(LANGUAGES.filter((language) => language !== ENGLISH))('in %s', (language) => {
  const translated = mailTranslations[language] ?? {}

  test('every mail is translated, and no other exists', () => {
    expect(Object.keys(translated).sort()).toEqual([...mails.keys()].sort())
  })

  test('a translated mail has the same values, links and conditions as in English', () => {
    expect(mails.size).toBeGreaterThan(20)
    for (const [id, mail] of mails)
      expect(valuesIn(translated[id] ?? { subject: '', body: '' }), id).toEqual(valuesIn(mail))
  })
})
