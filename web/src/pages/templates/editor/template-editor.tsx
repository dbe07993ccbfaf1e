import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { useMissing } from '../../../session/session.ts'
import { CodeEditor } from '../../../ui/form/code-editor.tsx'
import { complaint } from '../../../ui/form/complaint.ts'
import { SaveForm } from '../../../ui/form/save-form.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { AboutSection } from './about-section.tsx'
import type { Path } from './draft.ts'
import { changesOf } from './draft-changes.ts'
import styles from './editor.module.css'
import { FilesSection } from './files-section.tsx'
import { InstallSection } from './install-section.tsx'
import { lineOf, placesOf, syntaxFault } from './json-places.ts'
import { ImageSection, ReadySection, SizeSection, StartSection } from './runtime-sections.tsx'
import { DraftContext } from './use-draft.ts'
import { type EditedDocument, useEditedDocument } from './use-edited-document.ts'
import { VariablesSection } from './variables-section.tsx'
import { t } from './words.ts'

interface Fault {
  readonly path: Path
  readonly message: string
}

/** What a document lacks, with the form's names. */
function faultsOf(draft: unknown): readonly Fault[] {
  const parsed = TemplateDocument.safeParse(draft)
  if (parsed.success) return []
  return parsed.error.issues.map((issue) => ({
    path: issue.path.map((step) => (typeof step === 'number' ? step : String(step))),
    message: complaint(issue),
  }))
}

const NONE: ReadonlySet<string> = new Set()

const pathOf = (pointer: string): Path =>
  pointer.split('/').map((step) => (/^\d+$/.test(step) ? Number(step) : step))

interface TemplateEditorProps<R> extends EditedDocument<R> {
  /** Names the form. */
  label: string
  submitText: string
  /** More buttons beside the one that saves. */
  beside?: (changed: boolean) => ReactNode
  /** A new one can be saved even if unchanged. */
  isNew?: boolean
}

/** A template as a form and as its source, side by side: changes in one appear in the other. */
export function TemplateEditor<R>(props: TemplateEditorProps<R>) {
  const { label, submitText, beside, ...rest } = props
  return (
    <SaveForm label={label} submitText={submitText} beside={beside} long>
      <Sides {...rest} />
    </SaveForm>
  )
}

function Sides<R>({ isNew = false, ...edited }: EditedDocument<R> & { isNew?: boolean }) {
  const missing = useMissing()('templates.manage')
  const [unread, setUnread] = useState<ReadonlySet<string>>(NONE)
  const { form, draft, source, syntax, refused, kept, set, change, discard } =
    useEditedDocument(edited)
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
    if (broken) return [{ ...broken, message: t.notJsonFromHere }]
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
  const changes = useMemo(
    () => [...changesOf(kept, draft, [...unread]), ...(syntax === undefined ? [] : [t.source])],
    [kept, draft, unread, syntax],
  )
  const isWhole = syntax === undefined && faults.length === 0 && unread.size === 0
  useSavePart(
    {
      ...form,
      changed: changes,
      discard: () => {
        setUnread(NONE)
        discard()
      },
    },
    {
      labelOf: String,
      isNew,
      blocked: missing ?? (isWhole || (changes.length === 0 && !isNew) ? undefined : t.mendMarked),
    },
  )
  return (
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
        <Card title={t.source}>
          <CodeEditor
            placeholderLines={14}
            label={t.sourceEditor}
            value={source}
            language="json"
            readOnly={missing !== undefined}
            faults={marks}
            onChange={change}
          />
        </Card>
        {syntax === undefined ? (
          <Complaints source={source} faults={faults} marks={marks} />
        ) : (
          <Note tone="warn" title={t.lineNotJson({ line: lineOf(source, marks[0]?.from ?? 0) })}>
            {t.formWaits({ reason: syntax })}
          </Note>
        )}
      </div>
    </div>
  )
}

const SHOWN = 12

interface ComplaintsProps {
  source: string
  faults: readonly Fault[]
  marks: readonly { readonly from: number }[]
}

/** The remaining errors, each with its line. */
function Complaints({ source, faults, marks }: ComplaintsProps) {
  if (faults.length === 0) return null
  return (
    <Note tone="warn" role="status" title={t.placesToMend({ count: faults.length })}>
      <ul className={styles.faults}>
        {faults.slice(0, SHOWN).map(({ path, message }, index) => (
          <li key={`${path.join('/')} ${message}`}>
            {rich(
              t.faultAt({
                line: lineOf(source, marks[index]?.from ?? 0),
                place: path.join(' › ') || t.wholeTemplate,
                message,
                where: (text) => <span key="where">{text}</span>,
                what: (text) => (
                  <Text key="what" mono>
                    {text}
                  </Text>
                ),
              }),
            )}
          </li>
        ))}
      </ul>
    </Note>
  )
}
