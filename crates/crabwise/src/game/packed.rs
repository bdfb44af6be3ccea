//! Positions that are nothing but numbers, and travel as their bytes.

/// A position, or a part of one, that can be written as bytes and read again. Integers, truth values, and arrays and
/// tuples of such have it; for a struct of them [`packed!`](crate::packed) writes it.
pub trait Packed: Sized {
    /// Appends the bytes.
    fn pack(&self, out: &mut Vec<u8>);

    /// Takes the bytes off the front; `None` where they are none of such a thing.
    fn unpack(bytes: &mut &[u8]) -> Option<Self>;
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl Packed for $int {
            #[inline]
            fn pack(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }

            #[inline]
            fn unpack(bytes: &mut &[u8]) -> Option<$int> {
                let (head, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(<$int>::from_le_bytes(*head))
            }
        }
    )*};
}

integers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128);

impl Packed for bool {
    fn pack(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }

    fn unpack(bytes: &mut &[u8]) -> Option<bool> {
        [false, true].get(usize::from(u8::unpack(bytes)?)).copied()
    }
}

impl<T: Packed, const N: usize> Packed for [T; N] {
    fn pack(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|one| one.pack(out));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<[T; N]> {
        let all: Option<Vec<T>> = (0..N).map(|_| T::unpack(bytes)).collect();
        all?.try_into().ok()
    }
}

macro_rules! tuples {
    ($($($part:ident)*;)*) => {$(
        impl<$($part: Packed),*> Packed for ($($part,)*) {
            #[allow(non_snake_case)]
            fn pack(&self, out: &mut Vec<u8>) {
                let ($($part,)*) = self;
                $($part.pack(out);)*
            }

            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                Some(($($part::unpack(bytes)?,)*))
            }
        }
    )*};
}

tuples!(A B; A B C; A B C D;);

/// Makes a struct [`Packed`], of its fields in this order:
///
/// ```
/// struct Discs {
///     mine: u64,
///     theirs: u64,
/// }
///
/// crabwise::packed!(Discs { mine, theirs });
/// ```
#[macro_export]
macro_rules! packed {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl $crate::Packed for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                $($crate::Packed::pack(&self.$field, out);)*
            }

            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::Packed::unpack(bytes)?),* })
            }
        }
    };
}

/// How positions are written as bytes.
pub(crate) struct Packing<P> {
    pub(crate) pack: fn(&P, &mut Vec<u8>),
    pub(crate) unpack: fn(&mut &[u8]) -> Option<P>,
}

impl<P> Clone for Packing<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Packing<P> {}

impl<P: Packed> Packing<P> {
    pub(crate) fn of() -> Packing<P> {
        Packing { pack: P::pack, unpack: P::unpack }
    }
}

impl<P: PartialEq> Packing<P> {
    /// Whether a position is itself again when it is read.
    pub(crate) fn keeps(&self, at: &P) -> bool {
        let mut bytes = vec![];
        (self.pack)(at, &mut bytes);
        let mut rest = &bytes[..];
        (self.unpack)(&mut rest).as_ref() == Some(at) && rest.is_empty()
    }
}
