import { Type } from '../../../values/schema/type.ts'

export const PhoneParams = Type.Object({
  phone: Type.String({ description: 'The number, in any format.', examples: ['2348031234567'] }),
})
