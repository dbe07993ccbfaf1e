import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Key } from '../../../api.ts'
import { useForm } from '../../../ui/form/form.tsx'
import { readJson } from '../read-json.ts'
import { type Path, put } from './draft.ts'

const written = (value: unknown): string => JSON.stringify(value, null, 2)

const NOTHING: Readonly<Record<string, string>> = {}

export interface EditedDocument<R> {
  document: unknown
  /** The version of the document; a save over a newer one is refused. */
  version?: number
  /** `version` is the one that the edit is based on. */
  save: (document: TemplateDocument, version: number) => Promise<R>
  refreshes: readonly Key<'GET'>[]
  done: (result: R) => void
}

/** A document as form values and as text, which are kept in sync, with saving. */
export function useEditedDocument<R>(edited: EditedDocument<R>) {
  const { document, version = 1, save, refreshes, done } = edited
  const saved = useMemo(() => written(document), [document])
  const [sent, setSent] = useState<string>()
  /** What the edit is based on, and what the host has accepted of it since. */
  const base = useRef({ text: saved, version, accepted: saved })
  /** The saved document that the draft is compared with. */
  const [kept, setKept] = useState(document)
  const form = useForm<{ source: string }, R>({
    initial: { source: saved },
    submit: ({ source }) => {
      setSent(source)
      return save(TemplateDocument.parse(readJson(source).value), base.current.version)
    },
    refreshes,
    done: (result, { source }) => {
      base.current.accepted = source
      setKept(readJson(source).value)
      done(result)
    },
  })
  const { source } = form.values
  const [draft, setDraft] = useState(document)
  const now = useRef({ source, draft })
  const { setValues } = form
  const take = useCallback(
    (text: string, value: unknown): void => {
      now.current = { source: text, draft: value }
      setDraft(value)
      setValues({ source: text })
    },
    [setValues],
  )
  // Takes over a document saved here or elsewhere, unless something has been typed since.
  useEffect(() => {
    const { text, accepted } = base.current
    if (saved === text) return
    const typed = now.current.source
    const isUntouched = typed === text || typed === accepted
    // What was saved here is the new base, even of text typed since then.
    if (!isUntouched && accepted === text) return
    base.current = { text: saved, version, accepted: saved }
    setKept(document)
    if (isUntouched) take(saved, document)
  }, [saved, version, document, take])
  const change = (text: string): void => {
    const read = readJson(text)
    // While the source cannot be parsed, the form keeps its values.
    take(text, read.fault === undefined ? read.value : now.current.draft)
  }
  const set = useCallback(
    (path: Path, value: unknown): void => {
      if (readJson(now.current.source).fault !== undefined) return
      const next = put(now.current.draft, path, value)
      take(written(next), next)
    },
    [take],
  )
  const discard = (): void => {
    form.discard()
    const { text, accepted } = base.current
    if (accepted !== text) {
      // What was just saved here has not been refetched yet.
      take(accepted, readJson(accepted).value)
      return
    }
    base.current = { text: saved, version, accepted: saved }
    setKept(document)
    take(saved, document)
  }
  return {
    form,
    draft,
    source,
    kept,
    /** Why the source cannot be parsed. */
    syntax: readJson(source).fault,
    /** The API's errors about exactly this source, by JSON pointer. */
    refused: source === sent ? form.errors : NOTHING,
    set,
    change,
    discard,
  }
}
