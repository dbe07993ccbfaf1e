import type { Entry } from '@lodge/shared/files.ts'
import type { FilesFound } from '@lodge/shared/server-files.ts'
import { type FormEvent, useState } from 'react'
import { api } from '../../../api.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { Preview } from '../dialogs/preview.tsx'
import { FileIcon } from '../file-icon.tsx'
import { FileLink } from '../file-link.tsx'
import styles from './find.module.css'
import { t } from './words.ts'

interface FindFilesProps {
  serverId: string
  folder: string
}

/** Finds files below a folder by their name, by text in them, or by both. */
export default function FindFiles({ serverId, folder }: FindFilesProps) {
  const [name, setName] = useState('')
  const [content, setContent] = useState('')
  const [caseSensitive, setCaseSensitive] = useState(false)
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<FilesFound>()
  const [refusal, setRefusal] = useState<unknown>()
  const nothingTyped = name.trim() === '' && content === ''
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (nothingTyped || busy) return
    setBusy(true)
    setRefusal(undefined)
    await api('POST /api/servers/{id}/files/search', {
      params: { id: serverId },
      body: {
        path: folder,
        caseSensitive,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(content === '' ? {} : { content }),
      },
    }).then(setFound, setRefusal)
    setBusy(false)
  }
  return (
    <Card title={t.findIn({ folder: folder === '/' ? t.allFiles : folder })}>
      <Column gap={12}>
        <form className={styles.form} onSubmit={(event) => void submit(event)}>
          <TextField
            label={t.name}
            placeholder={t.nameHelp}
            value={name}
            onChange={setName}
            width="fill"
            autoFocus
          />
          <TextField label={t.content} value={content} onChange={setContent} width="fill" />
          <Tick label={t.caseSensitive} checked={caseSensitive} onChange={setCaseSensitive} />
          <Button type="submit" busy={busy} disabledBecause={nothingTyped ? t.fillOne : undefined}>
            {t.find}
          </Button>
        </form>
        {refusal === undefined ? null : <ProblemNote error={refusal} />}
        {found ? <Results serverId={serverId} found={found} /> : null}
      </Column>
    </Card>
  )
}

function Results({ serverId, found }: { serverId: string; found: FilesFound }) {
  const [shown, setShown] = useState<Entry>()
  const { items, truncated } = found
  return (
    <section aria-label={t.results}>
      <p className={styles.count} role="status">
        {items.length === 0 ? t.nothing : t.found({ count: items.length })}
      </p>
      {truncated ? <p className={styles.count}>{t.truncated}</p> : null}
      <ul className={styles.results}>
        {items.map(({ entry, line, text }) => (
          <li key={entry.path}>
            <FileLink serverId={serverId} entry={entry} onPreview={setShown}>
              <FileIcon entry={entry} />
              <span>{entry.path}</span>
            </FileLink>
            {line === undefined ? null : (
              <div className={styles.match}>
                <Text faint small>
                  {t.line({ line })}
                </Text>
                <code>{text}</code>
              </div>
            )}
          </li>
        ))}
      </ul>
      <Dialog
        title={shown?.name ?? ''}
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        wide
      >
        {shown ? <Preview serverId={serverId} entry={shown} /> : null}
      </Dialog>
    </section>
  )
}
