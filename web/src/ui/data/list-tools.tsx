import Download from 'lucide-react/icons/download'
import { Button, buttonClass } from '../buttons/button.tsx'
import { t } from './words.ts'

/** Saves all rows that match the filter, not only those of this page. */
export const ExportLink = ({ href, file }: { href: string; file: string }) => (
  <a className={buttonClass()} href={href} download={file}>
    <Download aria-hidden />
    {t.csv}
  </a>
)

/** The same for a list that is loaded completely. */
export const ExportButton = ({ onClick }: { onClick: () => void }) => (
  <Button icon={<Download />} onClick={onClick}>
    {t.csv}
  </Button>
)
