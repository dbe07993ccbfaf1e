import { ThemeFile } from '@lodge/shared/branding.ts'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { saveFrom } from '../../ui/data/save-file.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { showImported } from './imported.ts'
import { t } from './words.ts'

/** Exports the look as a file, loads one into the editor, or returns to the default look. */
export function ThemeActions() {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [asks, setAsks] = useState(false)
  const refresh = useRefresh()
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setBusy(true)
    try {
      const body = ThemeFile.parse(JSON.parse(await file.text()))
      const read = await api('POST /api/branding/import', { body })
      showImported(read.branding)
      toastDone(t.imported)
    } catch (error) {
      toastRefused(t.notAFile, error instanceof Error ? error : new Error(t.notAFile))
    } finally {
      setBusy(false)
    }
  }
  const reset = async () => {
    await api('POST /api/branding/reset')
    await refresh(['GET /api/branding/admin'])
    toastDone(t.wasReset)
  }
  return (
    <Row>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.import}
        accept="application/json,.json"
        onChange={(event) => {
          void take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Button onClick={() => saveFrom('/api/branding/export')}>{t.export}</Button>
      <Button busy={busy} onClick={() => input.current?.click()}>
        {t.import}
      </Button>
      <Button onClick={() => setAsks(true)}>{t.reset}</Button>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t.resetTitle}
        verb={t.reset}
        onConfirm={reset}
      >
        {t.resetText}
      </ConfirmDialog>
    </Row>
  )
}
