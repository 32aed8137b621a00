//! JSON of a format that nobody promises: every field may be missing or of another type, and then it is as if it were
//! not there. Of a key that stands twice the last counts, as in JavaScript.
//!
//! Invariant: nothing but broken JSON is an error, and what nobody asked for is stepped over without being kept.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// What a value may be read as. A kind that is not overridden leaves `self` as it is.
pub trait Lenient<'de>: Default {
    /// A text that stands in the input as it is.
    fn borrowed(self, text: &'de str) -> Self {
        self.text(text)
    }
    fn text(self, _: &str) -> Self {
        self
    }
    fn number(self, _: f64) -> Self {
        self
    }
    fn flag(self, _: bool) -> Self {
        self
    }
    fn null(self) -> Self {
        self
    }
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self)
    }
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self)
    }
}

/// Reads a [`Lenient`] from any value.
pub struct Any<T>(pub T);

impl<'de, T: Lenient<'de>> Deserialize<'de> for Any<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<T>(PhantomData<T>);
        impl<'de, T: Lenient<'de>> Visitor<'de> for Reader<T> {
            type Value = Any<T>;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Any<T>, E> {
                Ok(Any(T::default().borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Any<T>, E> {
                Ok(Any(T::default().text(text)))
            }
            fn visit_bool<E>(self, flag: bool) -> Result<Any<T>, E> {
                Ok(Any(T::default().flag(flag)))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Any<T>, E> {
                Ok(Any(T::default().number(number as f64)))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Any<T>, E> {
                Ok(Any(T::default().number(number as f64)))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Any<T>, E> {
                Ok(Any(T::default().number(number)))
            }
            fn visit_unit<E>(self) -> Result<Any<T>, E> {
                Ok(Any(T::default().null()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Any<T>, A::Error> {
                T::default().list(list).map(Any)
            }
            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Any<T>, A::Error> {
                T::default().object(object).map(Any)
            }
        }
        deserializer.deserialize_any(Reader(PhantomData))
    }
}

/// A text, or nothing.
#[derive(Default, Clone, Debug)]
pub struct Text<'a>(pub Option<Cow<'a, str>>);

impl Text<'_> {
    pub fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl<'de> Lenient<'de> for Text<'de> {
    fn borrowed(self, text: &'de str) -> Self {
        Text(Some(Cow::Borrowed(text)))
    }
    fn text(self, text: &str) -> Self {
        Text(Some(Cow::Owned(text.to_string())))
    }
}

/// A figure that is no fraction and not below zero; 0 where there is none.
#[derive(Default, Clone, Copy, Debug)]
pub struct Figure(pub u64);

impl Lenient<'_> for Figure {
    fn number(self, number: f64) -> Self {
        // Saturates, and takes what is no number for 0.
        Figure(number as u64)
    }
}

#[derive(Default, Clone, Copy, Debug)]
pub struct Flag(pub bool);

impl Lenient<'_> for Flag {
    fn flag(self, flag: bool) -> Self {
        Flag(flag)
    }
}

/// A list, each entry as lenient as the rest.
#[derive(Debug)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<'de, T: Lenient<'de>> Lenient<'de> for List<T> {
    fn list<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Self, A::Error> {
        while let Some(Any(entry)) = list.next_element()? {
            self.0.push(entry);
        }
        Ok(self)
    }
}

/// A struct out of the fields of an object that are named.
macro_rules! object {
    ($(#[$doc:meta])* $name:ident { $($key:literal => $field:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Default, Debug)]
        pub struct $name<'a> {
            $(pub $field: $kind,)*
            _input: std::marker::PhantomData<&'a ()>,
        }

        impl<'a> $crate::lenient::Lenient<'a> for $name<'a> {
            fn object<A: serde::de::MapAccess<'a>>(mut self, mut object: A) -> Result<Self, A::Error> {
                while let Some($crate::lenient::Any(key)) = object.next_key::<$crate::lenient::Any<$crate::lenient::Text>>()? {
                    match key.get().unwrap_or_default() {
                        $($key => self.$field = object.next_value::<$crate::lenient::Any<$kind>>()?.0,)*
                        _ => {
                            object.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(self)
            }
        }
    };
}
pub(crate) use object;
