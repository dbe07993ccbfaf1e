import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Key } from '../../../api.ts'
import { useMissing } from '../../../session/session.ts'
import { complaint } from '../../../ui/form/complaint.ts'
import { Form, NOTHING_CHANGED, useForm } from '../../../ui/form/form.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Skeletons } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { readJson } from '../read-json.ts'
import { AboutSection } from './about-section.tsx'
import { type Path, put } from './draft.ts'
import styles from './editor.module.css'
import { FilesSection } from './files-section.tsx'
import { InstallSection } from './install-section.tsx'
import { lineOf, placesOf, syntaxFault } from './json-places.ts'
import { ImageSection, ReadySection, SizeSection, StartSection } from './runtime-sections.tsx'
import { DraftContext } from './use-draft.ts'
import { VariablesSection } from './variables-section.tsx'

const Editor = lazy(() => import('../../../ui/panes/editor.tsx'))

const written = (value: unknown): string => JSON.stringify(value, null, 2)

interface Fault {
  readonly path: Path
  readonly message: string
}

/** What a document lacks, in words of the form. */
function faultsOf(draft: unknown): readonly Fault[] {
  const parsed = TemplateDocument.safeParse(draft)
  if (parsed.success) return []
  return parsed.error.issues.map((issue) => ({
    path: issue.path.map((step) => (typeof step === 'number' ? step : String(step))),
    message: complaint(issue),
  }))
}

const NONE: ReadonlySet<string> = new Set()

const NOTHING: Readonly<Record<string, string>> = {}

const pathOf = (pointer: string): Path =>
  pointer.split('/').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

interface TemplateEditorProps<R> {
  document: unknown
  /** The version of the document; a save over a newer one is refused. */
  version?: number
  /** Of a new one, that is saved also unchanged. */
  isNew?: boolean
  submitText: string
  /** `version` is the one that the edit began with. */
  save: (document: TemplateDocument, version: number) => Promise<R>
  refreshes: readonly Key<'GET'>[]
  done: (result: R) => void
  beside?: (state: { readonly changed: boolean }) => ReactNode
}

/** A template as a form and as its source, side by side: what is changed in one appears in the other. */
export function TemplateEditor<R>(props: TemplateEditorProps<R>) {
  const { document, version = 1, isNew = false, submitText, save, refreshes, done, beside } = props
  const saved = useMemo(() => written(document), [document])
  const missing = useMissing()('templates.manage')
  const [sent, setSent] = useState<string>()
  const [unread, setUnread] = useState<ReadonlySet<string>>(NONE)
  /** What the edit began with, and what the host has accepted of it since. */
  const base = useRef({ text: saved, version, accepted: saved })
  const form = useForm<{ source: string }, R>({
    initial: { source: saved },
    submit: ({ source }) => {
      setSent(source)
      return save(TemplateDocument.parse(readJson(source).value), base.current.version)
    },
    refreshes,
    done: (result, { source }) => {
      base.current.accepted = source
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
  // A document saved here or elsewhere is taken over, unless something has been typed since.
  useEffect(() => {
    const { text, accepted } = base.current
    if (saved === text) return
    const typed = now.current.source
    const isUntouched = typed === text || typed === accepted
    // What was saved here is the new beginning, also of what has been typed since then.
    if (!isUntouched && accepted === text) return
    base.current = { text: saved, version, accepted: saved }
    if (isUntouched) take(saved, document)
  }, [saved, version, document, take])
  const syntax = readJson(source).fault
  const change = (text: string): void => {
    const read = readJson(text)
    // While the source cannot be read the form keeps what it had.
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
  const refused = source === sent ? form.errors : NOTHING
  const faults = useMemo<readonly Fault[]>(
    () => [
      ...faultsOf(draft),
      ...Object.entries(refused).map(([pointer, message]) => ({
        path: pathOf(pointer),
        message,
      })),
    ],
    [draft, refused],
  )
  const marks = useMemo(() => {
    const broken = syntaxFault(source)
    if (broken) return [{ ...broken, message: 'From here on this is not JSON' }]
    const places = placesOf(
      source,
      faults.map(({ path }) => path),
    )
    return faults.map(({ message }, index) => ({
      ...(places[index] ?? { from: 0, to: 1 }),
      message,
    }))
  }, [source, faults])
  const state = useMemo(() => {
    const byPlace = new Map(faults.map(({ path, message }) => [path.join('/'), message]))
    return {
      draft,
      set,
      setUnread: (path: Path, isUnread: boolean) => {
        const place = path.join('/')
        setUnread((was) =>
          was.has(place) === isUnread
            ? was
            : new Set(isUnread ? [...was, place] : [...was].filter((one) => one !== place)),
        )
      },
      isUnread: (path: Path) => unread.has(path.join('/')),
      faultAt: (path: Path) => byPlace.get(path.join('/')),
      disabled: syntax !== undefined || missing !== undefined,
    }
  }, [draft, set, unread, faults, syntax, missing])
  const changed = source !== saved
  const blocked =
    missing ??
    (changed || isNew ? undefined : NOTHING_CHANGED) ??
    (syntax === undefined && faults.length === 0 && unread.size === 0
      ? undefined
      : 'Mend what is marked first')
  return (
    <Form
      form={form}
      submitText={submitText}
      disabledBecause={blocked}
      long
      beside={beside?.({ changed })}
    >
      <div className={styles.sides}>
        <DraftContext value={state}>
          <div className={styles.form}>
            <AboutSection />
            <ImageSection />
            <StartSection />
            <ReadySection />
            <SizeSection />
            <VariablesSection />
            <InstallSection />
            <FilesSection />
          </div>
        </DraftContext>
        <div className={styles.source}>
          <Card title="Source">
            <Suspense fallback={<Skeletons lines={14} />}>
              <Editor
                label="Source of the template"
                value={source}
                language="json"
                readOnly={missing !== undefined}
                faults={marks}
                onChange={change}
              />
            </Suspense>
          </Card>
          {syntax === undefined ? (
            <Complaints source={source} faults={faults} marks={marks} />
          ) : (
            <Note tone="warn" title={`Line ${lineOf(source, marks[0]?.from ?? 0)} is not JSON`}>
              The form waits until the source can be read again. {syntax}
            </Note>
          )}
        </div>
      </div>
    </Form>
  )
}

const SHOWN = 12

interface ComplaintsProps {
  source: string
  faults: readonly Fault[]
  marks: readonly { readonly from: number }[]
}

/** What is still wrong, each with its line. */
function Complaints({ source, faults, marks }: ComplaintsProps) {
  if (faults.length === 0) return null
  const title = `${faults.length} ${faults.length === 1 ? 'place needs' : 'places need'} your attention`
  return (
    <Note tone="warn" role="status" title={title}>
      <ul className={styles.faults}>
        {faults.slice(0, SHOWN).map(({ path, message }, index) => (
          <li key={`${path.join('/')} ${message}`}>
            <span>Line {lineOf(source, marks[index]?.from ?? 0)}:</span>{' '}
            <Text mono>{path.join(' › ') || 'template'}</Text> {message}
          </li>
        ))}
      </ul>
    </Note>
  )
}
