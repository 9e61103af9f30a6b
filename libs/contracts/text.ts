import { z } from 'zod'

// NUL and the other control characters, but not tab, line feed and carriage return.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

/** Text that people wrote: binary data and half characters are refused where they come in. */
const isPlain = (text: string): boolean => text.isWellFormed() && !control.test(text)
export const plainText = z
  .string()
  .refine(isPlain, 'send plain text: this holds binary data, control characters or half characters')
