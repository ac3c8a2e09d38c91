import {
  now,
  parseAbsolute,
  parseDate,
  parseTime,
  toCalendarDate,
  today,
  ZonedDateTime,
  type DateValue,
} from '@internationalized/date'
import { useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { Calendar, CalendarCell, CalendarGrid } from 'react-aria-components/Calendar'
import { DateInput, DateSegment } from 'react-aria-components/DateField'
import { DatePicker } from 'react-aria-components/DatePicker'
import { Dialog } from 'react-aria-components/Dialog'
import { Group } from 'react-aria-components/Group'
import { Heading } from 'react-aria-components/Heading'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { Popover } from 'react-aria-components/Popover'
import { TimeField } from 'react-aria-components/TimeField'
import { chosen } from '../../text/language.ts'
import { t } from '../../text/text.ts'
import { Icon } from '../Icon.tsx'
import { overlaysOf } from '../select/overlays.ts'
import type { Kind } from './kind.ts'
import './picker.css'

type Props = {
  kind: Kind
  value: string
  onChange: (value: string) => void
  time_zone: string
  latest: string | undefined
  label: string | undefined
  label_id: string | undefined
  described_by: string | undefined
  invalid: boolean
}

/** The input with a segment for each part of the date, and the calendar. */
export default function Picker({ kind, value, onChange, time_zone, latest, label, label_id, ...about }: Props) {
  const [group, setGroup] = useState<HTMLDivElement | null>(null)
  const shared = {
    ...present('aria-label', label),
    ...present('aria-labelledby', label_id),
    ...present('aria-describedby', about.described_by),
    isInvalid: about.invalid,
    shouldForceLeadingZeros: true,
  }
  const segments = <DateInput className="date-input">{(segment) => <DateSegment segment={segment} />}</DateInput>
  if (kind === 'time') {
    return (
      <I18nProvider locale={chosen.dates}>
        <TimeField
          {...shared}
          value={readAs(parseTime, value)}
          onChange={(time) => onChange(time?.toString().slice(0, 5) ?? '')}
        >
          {segments}
        </TimeField>
      </I18nProvider>
    )
  }
  return (
    <I18nProvider locale={chosen.dates}>
      <DatePicker
        {...shared}
        value={kind === 'day' ? readAs(parseDate, value) : readAs((text) => parseMoment(text, time_zone), value)}
        onChange={(date) => onChange(written(date))}
        placeholderValue={kind === 'day' ? today(time_zone) : inAnHour(time_zone)}
        granularity={kind === 'day' ? 'day' : 'minute'}
        {...(latest === undefined ? {} : { maxValue: parseDate(latest) })}
        hideTimeZone
      >
        <Group className="date-group" ref={setGroup}>
          {segments}
          <Button className="icon-button" aria-label={t('Calendar')}>
            <Icon name="calendar" />
          </Button>
        </Group>
        <Popover className="popover" offset={4} UNSTABLE_portalContainer={overlaysOf(group)}>
          <Dialog className="calendar" aria-label={t('Calendar')}>
            <Calendar>
              <header className="calendar-head">
                <Button slot="previous" className="icon-button">
                  <Icon name="previous" />
                </Button>
                <Heading level={3} />
                <Button slot="next" className="icon-button">
                  <Icon name="next" />
                </Button>
              </header>
              <CalendarGrid>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGrid>
            </Calendar>
          </Dialog>
        </Popover>
      </DatePicker>
    </I18nProvider>
  )
}

function present(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}

/** What is in an address or a draft may not be a date; the field is empty then. */
function readAs<Value>(parse: (text: string) => Value, text: string): Value | null {
  try {
    return text === '' ? null : parse(text)
  } catch {
    return null
  }
}

function parseMoment(text: string, time_zone: string): ZonedDateTime {
  return parseAbsolute(new Date(text).toISOString(), time_zone)
}

function written(date: DateValue | null): string {
  if (date === null) return ''
  return date instanceof ZonedDateTime ? date.toAbsoluteString() : toCalendarDate(date).toString()
}

function inAnHour(time_zone: string): ZonedDateTime {
  return now(time_zone).add({ hours: 1 }).set({ minute: 0, second: 0, millisecond: 0 })
}
