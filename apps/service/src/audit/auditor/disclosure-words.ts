import { type DeskDocument, type DeskEventKind, type DisclosureLanguage } from '@caregate/domain';
import type { DataCategory } from '../../operations/operation-row.ts';

/** Words of `Disclosure.what` in one language. */
export interface DisclosureWords {
  readonly categories: Readonly<Record<DataCategory, string>>;
  readonly documents: Readonly<Record<DeskDocument, string>>;
  readonly ways: Readonly<Record<'read' | 'listed' | DeskEventKind, string>>;
  readonly masked: string;
  readonly pages: string;
  readonly copies: string;
}

export const DISCLOSURE_WORDS: Readonly<Record<DisclosureLanguage, DisclosureWords>> = {
  en: {
    categories: {
      user: 'Personal record',
      insurance: 'Insurance',
      lab_result: 'Lab result',
      timeseries: 'Activity data',
      access: 'Emergency access to this person',
      audit: 'Audit record',
    },
    documents: {
      insurance: 'Insurance',
      lab_report: 'Lab report',
      activity: 'Activity data',
      label: 'Label',
      disclosures: 'Accounting of disclosures',
      comparison: 'Comparison of lab results',
      screen: 'Screen',
    },
    ways: {
      read: 'shown',
      listed: 'shown in a list with others',
      print: 'printed',
      copy: 'copied to the clipboard',
      save: 'saved as a file',
      export: 'exported',
    },
    masked: 'fewer fields',
    pages: 'pages',
    copies: 'copies',
  },
  es: {
    categories: {
      user: 'Ficha personal',
      insurance: 'Seguro',
      lab_result: 'Resultado de laboratorio',
      timeseries: 'Datos de actividad',
      access: 'Acceso de emergencia a esta persona',
      audit: 'Registro de auditoría',
    },
    documents: {
      insurance: 'Seguro',
      lab_report: 'Informe de laboratorio',
      activity: 'Datos de actividad',
      label: 'Etiqueta',
      disclosures: 'Relación de divulgaciones',
      comparison: 'Comparación de resultados de laboratorio',
      screen: 'Pantalla',
    },
    ways: {
      read: 'mostrado',
      listed: 'mostrado en una lista con otras personas',
      print: 'impreso',
      copy: 'copiado al portapapeles',
      save: 'guardado como archivo',
      export: 'exportado',
    },
    masked: 'menos campos',
    pages: 'páginas',
    copies: 'copias',
  },
  ar: {
    categories: {
      user: 'السجل الشخصي',
      insurance: 'التأمين',
      lab_result: 'نتيجة المختبر',
      timeseries: 'بيانات النشاط',
      access: 'الوصول الطارئ إلى هذا الشخص',
      audit: 'سجل التدقيق',
    },
    documents: {
      insurance: 'التأمين',
      lab_report: 'تقرير المختبر',
      activity: 'بيانات النشاط',
      label: 'ملصق',
      disclosures: 'بيان عمليات الإفصاح',
      comparison: 'مقارنة نتائج المختبر',
      screen: 'الشاشة',
    },
    ways: {
      read: 'عُرض',
      listed: 'عُرض في قائمة مع آخرين',
      print: 'طُبع',
      copy: 'نُسخ إلى الحافظة',
      save: 'حُفظ كملف',
      export: 'صُدِّر',
    },
    masked: 'حقول أقل',
    pages: 'صفحات',
    copies: 'نسخ',
  },
};

/** The word for a value; newer versions may have more values. */
export function wordOf(words: Readonly<Record<string, string>>, value: string): string {
  return Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}
