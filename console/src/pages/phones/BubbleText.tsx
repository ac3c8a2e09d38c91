import { t } from '../../text/text.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { placed } from '../../ui/Phone.tsx'

const LINK = /(https?:\/\/[^\s]+[^\s.,;:!?)\]])/
const CODE = /(?<![\w/.,-])\d{4,8}(?![\w/-]|[.,]\d)/
const ABOUT_CODES = /code|otp|password|pin|token|verif/i

/** A text as a phone shows it: links to follow, and below it the code to copy where there is one. */
export function BubbleText({ text, codes }: { text: string; codes: boolean }) {
  const code = codes && ABOUT_CODES.test(text) ? CODE.exec(text)?.[0] : undefined
  return (
    <>
      <p className="bubble-text">
        {placed(text.split(LINK)).map(({ at, part }) =>
          LINK.test(part) ? (
            <a key={at} href={part} target="_blank" rel="noreferrer">
              {part}
            </a>
          ) : (
            part
          ),
        )}
      </p>
      {code !== undefined && <CopyButton text={code} label={t('Copy {code}', { code })} />}
    </>
  )
}
