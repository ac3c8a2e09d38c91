/** The network of a mobile country code and mobile network code. */
export type Network = {
  country: string
  /** As in the prefix table; undefined: unknown. */
  operator: string | undefined
}

/** Countries by mobile country code (ITU E.212). */
const COUNTRIES = `202 GR 204 NL 206 BE 208 FR 212 MC 213 AD 214 ES 216 HU 218 BA 219 HR 220 RS 221 XK 222 IT 225 VA 226 RO
228 CH 230 CZ 231 SK 232 AT 234 GB 235 GB 238 DK 240 SE 242 NO 244 FI 246 LT 247 LV 248 EE 250 RU 255 UA 257 BY 259 MD
260 PL 262 DE 266 GI 268 PT 270 LU 272 IE 274 IS 276 AL 278 MT 280 CY 282 GE 283 AM 284 BG 286 TR 288 FO 290 GL 292 SM
293 SI 294 MK 295 LI 297 ME 302 CA 308 PM 310 US 311 US 312 US 313 US 314 US 315 US 316 US 330 PR 332 VI 334 MX 338 JM
340 GP 342 BB 344 AG 346 KY 348 VG 350 BM 352 GD 354 MS 356 KN 358 LC 360 VC 362 CW 363 AW 364 BS 365 AI 366 DM 368 CU
370 DO 372 HT 374 TT 376 TC 400 AZ 401 KZ 402 BT 404 IN 405 IN 406 IN 410 PK 412 AF 413 LK 414 MM 415 LB 416 JO 417 SY
418 IQ 419 KW 420 SA 421 YE 422 OM 424 AE 425 IL 426 BH 427 QA 428 MN 429 NP 432 IR 434 UZ 436 TJ 437 KG 438 TM 440 JP
441 JP 450 KR 452 VN 454 HK 455 MO 456 KH 457 LA 460 CN 461 CN 466 TW 467 KP 470 BD 472 MV 502 MY 505 AU 510 ID 514 TL
515 PH 520 TH 525 SG 528 BN 530 NZ 536 NR 537 PG 539 TO 540 SB 541 VU 542 FJ 543 WF 544 AS 545 KI 546 NC 547 PF 548 CK
549 WS 550 FM 551 MH 552 PW 553 TV 554 TK 555 NU 602 EG 603 DZ 604 MA 605 TN 606 LY 607 GM 608 SN 609 MR 610 ML 611 GN
612 CI 613 BF 614 NE 615 TG 616 BJ 617 MU 618 LR 619 SL 620 GH 621 NG 622 TD 623 CF 624 CM 625 CV 626 ST 627 GQ 628 GA
629 CG 630 CD 631 AO 632 GW 633 SC 634 SD 635 RW 636 ET 637 SO 638 DJ 639 KE 640 TZ 641 UG 642 BI 643 MZ 645 ZM 646 MG
647 RE 648 ZW 649 NA 650 MW 651 LS 652 BW 653 SZ 654 KM 655 ZA 657 ER 658 SH 659 SS 702 BZ 704 GT 706 SV 708 HN 710 NI
712 CR 714 PA 716 PE 722 AR 724 BR 730 CL 732 CO 734 VE 736 BO 738 GY 740 EC 744 PY 746 SR 748 UY 750 FK`

/** Operators by network code, for networks whose numbers the prefix table knows, in its spelling. */
const OPERATORS = `
621 20 Airtel|27 Smile|30 MTN|40 NTEL|50 Glo|60 9mobile
620 1 MTN|2 Telecel|4 Expresso
639 2 Safaricom|3 Airtel|5 Airtel|7 Telkom
640 2 Yas|4 Vodacom|5 Airtel|9 Viettel
641 1 Airtel|10 MTN|11 UTL|14 Africell|22 Airtel
635 10 MTN|13 Airtel|14 Airtel
655 1 Vodacom|2 Telkom Mobile|7 Cell C|10 MTN|12 MTN|38 Rain
612 2 Moov|3 Orange|5 MTN
608 1 Orange|2 Free|3 Expresso
624 1 MTN Cameroon|2 Orange|4 NEXTTEL
616 2 Moov|3 MTN
615 1 Togo Telecom|3 Moov
613 1 Onatel|2 Orange|3 Telecel Faso
610 1 Sotelma|2 Orange|3 Atel
614 2 Airtel|3 Moov|4 Orange
611 1 Orange|2 Sotelgui|3 Intercel|4 Areeba|5 Cellcom
618 1 Lonestar Cell|7 Orange
619 1 Orange|3 Africell|5 Africell
607 1 Gamcel|2 Africell|3 Comium|4 QCell
630 1 Vodacom|2 Airtel|86 Orange|90 Africell
629 1 Airtel|10 MTN
628 1 Libertis|2 Moov|3 Airtel
636 1 Ethio Telecom|2 Safaricom
645 1 Airtel|2 MTN|3 ZAMTEL
648 1 Net*One|3 Telecel|4 Econet
650 1 TNM|10 Airtel
643 1 mcel|3 Movitel|4 Vodacom
652 1 Mascom|2 Orange|4 BTC Mobile
649 1 MTC
631 2 UNITEL|4 Movicel|5 Africell
646 1 Airtel|2 Orange|4 Yas
602 1 Orange|2 Vodafone|3 Etisalat|4 TE
604 0 Orange|1 Maroc Telecom|2 Inwi
603 1 Mobilis|2 Djezzy|3 Ooredoo
605 1 Orange|2 Tunisie Telecom|3 Ooredoo
424 2 Etisalat|3 du
420 1 STC|3 Mobily|4 Zain
410 1 Jazz|3 Ufone|4 Zong|6 Telenor|7 Jazz
470 1 Grameenphone|2 Robi|3 Banglalink|4 TeleTalk
515 2 Globe|3 Smart|66 Dito
510 1 Indosat Ooredoo Hutchison|8 AXIS|9 Smartfren|10 Telkomsel|11 XL
234 10 O2|15 Vodafone|20 Three|30 EE|33 EE
208 1 Orange France|10 SFR|15 Free Mobile|20 Bouygues
262 1 T-Mobile|2 Vodafone
222 1 TIM|10 Vodafone|88 WIND
214 1 Vodafone|3 Orange|4 Yoigo|7 Movistar
724 2 TIM|3 TIM|4 TIM|5 Claro|6 Vivo|10 Vivo|11 Vivo|23 Vivo|31 Oi
`

const country_of = new Map(
  [...COUNTRIES.matchAll(/(\d{3}) ([A-Z]{2})/g)].map(([, mcc = '', country = '']) => [mcc, country]),
)

const operator_of = new Map(
  OPERATORS.trim()
    .split('\n')
    .flatMap((line) =>
      line
        .slice(4)
        .split('|')
        .map((network): [string, string] => {
          const at = network.indexOf(' ')
          return [`${line.slice(0, 3)} ${network.slice(0, at)}`, network.slice(at + 1)]
        }),
    ),
)

/** Undefined: there is no such country code. The network code is a number: `01` and `1` are the same. */
export function networkOf(mcc: string, mnc: string): Network | undefined {
  const country = country_of.get(mcc)
  return country === undefined ? undefined : { country, operator: operator_of.get(`${mcc} ${Number(mnc)}`) }
}
