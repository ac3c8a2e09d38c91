import { Fragment } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'

const LINK = /(https?:\/\/[^\s]+[^\s.,;:!?)\]])/
const CODE = /(?<![\w/.,-])\d{4,8}(?![\w/-]|[.,]\d)/
const ABOUT_CODES = /code|otp|password|pin|token|verif/i

/** A text as a phone shows it: links to follow, and below it the code to copy where there is one. */
export function BubbleText({ text, codes }: { text: string; codes: boolean }) {
  const code = codes && ABOUT_CODES.test(text) ? CODE.exec(text)?.[0] : undefined
  return (
    <>
      <p className="bubble-text">
        {text.split(LINK).map((part, index) => (
          // The parts of a text never change places.
          // oxlint-disable-next-line no-array-index-key
          <Fragment key={index}>
            {index % 2 === 1 ? (
              <a href={part} target="_blank" rel="noreferrer">
                {part}
              </a>
            ) : (
              part
            )}
          </Fragment>
        ))}
      </p>
      {code !== undefined && <CopyButton text={code} label={`Copy ${code}`} />}
    </>
  )
}
