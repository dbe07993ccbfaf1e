import type { MarkedServer } from '@lodge/shared/servers.ts'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '../../../api.ts'
import { useRefresh } from '../../../query.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { UnsavedGuard } from '../../../ui/form/unsaved-guard.tsx'
import { useSaveKey } from '../../../ui/form/use-save-key.ts'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Skeletons } from '../../../ui/notices/states.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { part } from '../../../ui/page/part.tsx'
import type { FileText } from '../../../ui/panes/file-editor.tsx'
import { readContent, writeContent } from '../content.ts'
import { nameOf } from '../file-names.ts'
import { CHANGES } from '../use-listing.ts'
import { Conflict } from './conflict.tsx'
import styles from './edit.module.css'
import { EditorBar } from './editor-bar.tsx'
import { decode, encode, fits, type TextFormat } from './text-file.ts'
import type { OpenFile } from './use-file.ts'
import { t } from './words.ts'

const FileEditor = part(() => import('../../../ui/panes/file-editor.tsx'))

interface TextEditorProps {
  server: MarkedServer
  path: string
  opened: Extract<OpenFile, { kind: 'text' }>
  /** Why it cannot be changed. */
  readOnly: string | undefined
  /** Reads the file again; another version opens another editor. Throws when it cannot be read. */
  onReload: () => Promise<unknown>
}

/** The version that somebody else saved meanwhile; without a version the file is gone. */
interface Theirs {
  readonly text: string
  readonly etag: string | null
  readonly format: TextFormat
}

/** The text of a file, saving it, and conflicts with other people. */
export function TextEditor({ server, path, opened, readOnly, onReload }: TextEditorProps) {
  const { id } = server
  const [version, setVersion] = useState<string | null>(opened.etag)
  const [base, setBase] = useState({ text: opened.file.text, round: 0 })
  const [format, setFormat] = useState<TextFormat>(opened.file)
  const [changed, setChanged] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const [theirs, setTheirs] = useState<Theirs & { mine: string }>()
  const [reverting, setReverting] = useState(false)
  const editor = useRef<FileText>(null)
  const refresh = useRefresh()

  /** Shows the newer version beside the text written here, with what was typed since it was sent. */
  const compare = async (sent: string): Promise<void> => {
    const found = await readContent(id, path).catch((error: unknown) => {
      if (error instanceof ApiError && error.problem.status === 404) return undefined
      throw error
    })
    const file = found && decode(found.bytes)
    setTheirs({
      mine: editor.current?.text() ?? sent,
      text: file?.text ?? '',
      etag: found?.etag ?? null,
      format: file ?? format,
    })
  }

  const write = async (text: string, over: string | null, as: TextFormat): Promise<boolean> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      const isUtf8 = !fits(text, as)
      const { etag } = await writeContent(id, path, encode(text, as), over)
      setVersion(etag)
      setFormat(isUtf8 ? { ...as, encoding: 'utf-8' } : as)
      toastDone(t.savedToast({ file: nameOf(path) }), isUtf8 ? t.becomesUtf8 : undefined)
      void refresh(CHANGES)
      return true
    } catch (error) {
      const code = error instanceof ApiError ? error.problem.code : ''
      if (['file_changed', 'file_not_found', 'file_exists'].includes(code))
        await compare(text).catch(setRefusal)
      else setRefusal(error)
      return false
    } finally {
      setBusy(false)
    }
  }

  const save = async (): Promise<void> => {
    if (!changed || busy || readOnly !== undefined || theirs) return
    const saving = editor.current?.beginSave()
    if (saving && (await write(saving.text, version, format))) saving.markSaved()
  }
  const bar = useRef<HTMLFormElement>(null)
  useSaveKey(bar, changed && readOnly === undefined)

  /** Continues with another text. */
  const goOnWith = (text: string, isChanged: boolean): void => {
    setTheirs(undefined)
    setBase((old) => ({ text, round: old.round + 1 }))
    setChanged(isChanged)
  }
  const settle = async (text: string): Promise<void> => {
    if (theirs && (await write(text, theirs.etag, theirs.format))) goOnWith(text, false)
  }

  const guard: ReactNode = <UnsavedGuard changes={changed || theirs !== undefined} />
  const note = refusal === undefined ? null : <ProblemNote error={refusal} />
  if (theirs) {
    return (
      <div className={styles.tab}>
        {note}
        <Conflict
          serverId={id}
          path={path}
          isGone={theirs.etag === null}
          theirs={theirs.text}
          mine={theirs.mine}
          mixedEnds={theirs.format.lineEnd === 'mixed'}
          busy={busy}
          onSave={(text) => void settle(text)}
          onTheirs={() => {
            setVersion(theirs.etag)
            setFormat(theirs.format)
            goOnWith(theirs.text, false)
          }}
        />
        {guard}
      </div>
    )
  }
  return (
    <div className={styles.tab}>
      <EditorBar
        form={bar}
        serverId={id}
        path={path}
        format={format}
        changed={changed}
        busy={busy}
        readOnly={readOnly}
        onSave={() => void save()}
        onRevert={() => setReverting(true)}
      />
      {note}
      <FileEditor
        key={base.round}
        label={t.textOf({ file: nameOf(path) })}
        path={path}
        initial={base.text}
        readOnly={readOnly !== undefined}
        mixedEnds={format.lineEnd === 'mixed'}
        handle={editor}
        onChanged={setChanged}
        fallback={<Skeletons lines={14} />}
      />
      {guard}
      <ConfirmDialog
        opened={reverting}
        onClose={() => setReverting(false)}
        title={t.revertTitle}
        verb={t.revertVerb}
        onConfirm={async () => {
          await onReload()
          // Still here, so the version on the server is the one first opened.
          goOnWith(opened.file.text, false)
        }}
      >
        {t.revertText}
      </ConfirmDialog>
    </div>
  )
}
