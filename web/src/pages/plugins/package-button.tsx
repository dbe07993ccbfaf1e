import FileUp from 'lucide-react/icons/file-up'
import { useRef } from 'react'
import { Button } from '../../ui/buttons/button.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { readPackage } from './read-package.ts'
import { t } from './words.ts'

interface PackageButtonProps {
  label: string
  missing: string | undefined
  onPackage: (base64: string) => void
}

/** Chooses the file of a package. */
export function PackageButton({ label, missing, onPackage }: PackageButtonProps) {
  const picker = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return
    const read = await readPackage(file)
    if (read === undefined) toastRefused(t.notTaken, new Error(t.tooLarge))
    else onPackage(read)
  }
  return (
    <>
      <Button icon={<FileUp />} disabledBecause={missing} onClick={() => picker.current?.click()}>
        {label}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".tgz,.gz,application/gzip"
        aria-label={t.packageFile}
        onChange={(event) => {
          void take(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
